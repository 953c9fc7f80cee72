"""The fields of a countdown: dates in three forms, choices and their aliases, one emoji."""

from typing import Any

import pytest
from rest_framework.exceptions import ValidationError

from accounts.timestamps import milliseconds
from notes.api.fields import TargetDateField
from tests.conftest import Caller
from tests.notes.test_countdowns import EXAM, PATH, added

SUMMER = 1814220000000  # 2027-06-29T00:00 in Stockholm, UTC+2


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        (SUMMER, SUMMER),
        (float(SUMMER), SUMMER),
        (SUMMER + 123, SUMMER + 123),
        (7289650800, 7289650800),
        ("2027-06-29", SUMMER),
        (" 2027-06-29 ", SUMMER),
        ("1970-01-01", -3600000),
        ("2200-12-31", 7289650800000 - 86400000),
        # Winter time is an hour behind.
        ("2026-12-24", 1798066800000),
        # The clock changes after midnight.
        ("2027-03-28", 1806188400000),
        ("2027-03-29", 1806188400000 + 23 * 3600000),
        ("2026-10-25", 1792879200000),
        ("2026-10-26", 1792879200000 + 25 * 3600000),
        ("2027-06-29T08:30", SUMMER + 8 * 3600000 + 30 * 60000),
        ("2027-06-29 08:30:15", SUMMER + 8 * 3600000 + 30 * 60000 + 15000),
        ("2027-06-29T00:00:00.999", SUMMER + 999),
        ("2027-06-28T22:00:00.000Z", SUMMER),
        ("2027-06-29T00:00:00+02:00", SUMMER),
        ("2027-06-28T15:00:00-07:00", SUMMER),
        ("2027-06-28T22:00:00.123456789Z", SUMMER + 123),
        ("2028-02-29", 1835391600000),
    ],
)
def test_a_date_is_parsed(given: Any, stored: int) -> None:
    moment = TargetDateField().run_validation(given)
    assert moment.tzinfo is not None
    assert milliseconds(moment) == stored


def test_dates_are_stored_to_the_millisecond(elsa: Caller) -> None:
    for given, stored in ((SUMMER + 123, SUMMER + 123), ("2027-06-29", SUMMER)):
        assert added(elsa, targetDate=given)["targetDate"] == stored
    first, second = elsa.get(PATH).json()["countdowns"]
    assert (first["targetDate"], second["targetDate"]) == (SUMMER, SUMMER + 123)


@pytest.mark.parametrize(
    "wrong",
    [
        None, True, False, "", " ", "soon", [], {}, [SUMMER], 1.5, "1814220000000", "20270629",
        "2027-W26-2", "2027-02-29", "2027-06-31", "2027-13-01", "2027-6-9", "2027-06-29T",
        "٢٠٢٧-٠٦-٢٩", "2027-06-29T24:00", "2027-06-29T23:60", "2027-06-29T08:30:60",
        "2027-06-29T08:30+99:00", "2027-06-29T08:30Europe/Stockholm", "0001-01-01", "9999-12-31",
        "300000-01-01", "-2027-06-29", "1969-12-31", "2201-01-01", "0001-01-01T00:00+14:00",
        0, -3600000, 7289650799,
        -3600001, 7289650800000, 9407232000000000, 2**62, -(2**62), "2027-06-29\0",
        "2027-06-29" * 1000,
    ],
    ids=lambda value: ascii(value)[:30],
)  # fmt: skip
def test_an_invalid_date_is_refused(wrong: Any) -> None:
    with pytest.raises(ValidationError):
        TargetDateField().run_validation(wrong)


def test_an_invalid_date_is_400_with_its_field(elsa: Caller) -> None:
    for wrong in (None, True, "soon", 1.5, 9407232000000000):
        answer = elsa.post(PATH, EXAM | {"targetDate": wrong})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
        assert list(answer.json()["fields"]) == ["targetDate"]


def test_a_date_in_seconds_is_400_and_says_so(elsa: Caller) -> None:
    sentence = "This number is in seconds. Give milliseconds: multiply it by 1,000."
    kept = added(elsa)
    for seconds in (SUMMER // 1000, float(SUMMER // 1000)):
        for answer in (
            elsa.post(PATH, EXAM | {"targetDate": seconds}),
            elsa.patch(f"{PATH}/{kept['id']}", {"targetDate": seconds}),
        ):
            assert answer.status_code == 400
            assert answer.json()["fields"] == {"targetDate": [sentence]}
    assert [each["targetDate"] for each in elsa.get(PATH).json()["countdowns"]] == [
        kept["targetDate"]
    ]


STORED: list[tuple[str, Any, str]] = [
    ("category", "vacation", "holiday"),
    ("theme", "blue", "sky"),
    ("theme", "green", "emerald"),
    *(("category", word, word) for word in
      ("exam", "holiday", "birthday", "event", "deadline", "custom")),
    *(("theme", word, word) for word in ("violet", "rose", "amber", "emerald", "sky", "slate")),
    ("title", "  Prov \n", "Prov"),
    ("title", "å" * 80, "å" * 80),
    ("title", "🎂" * 80, "🎂" * 80),
    ("description", "ö" * 500, "ö" * 500),
    ("description", None, ""),
    ("description", "   ", ""),
    ("emoji", "🇸🇪", "🇸🇪"),
    ("emoji", "", ""),
    ("emoji", None, ""),
]  # fmt: skip
WRONG: list[tuple[str, Any]] = [
    ("title", ""), ("title", "  "), ("title", None), ("title", 7), ("title", "a" * 81),
    ("title", "\u200b"), ("title", " \u2800\u00ad"), ("title", ["Prov"]),
    ("description", "a" * 501), ("description", 0), ("description", []),
    ("category", "party"), ("category", "Exam"), ("category", None), ("category", ["exam"]),
    ("category", 1), ("category", {}), ("theme", "red"), ("theme", ""), ("theme", True),
    ("emoji", "x"), ("emoji", "1"), ("emoji", "😀😀"), ("emoji", "😀!"), ("emoji", 128512),
    ("emoji", "😀" + "\u0301" * 400), ("emoji", "<b>"), ("pinned", "true"), ("pinned", 1),
    ("pinned", None), ("archived", "no"), ("archived", 0), ("archived", []),
]  # fmt: skip


def test_a_valid_value_is_stored(elsa: Caller) -> None:
    path = f"{PATH}/{added(elsa)['id']}"
    for field, given, stored in STORED:
        assert added(elsa, **{field: given})[field] == stored
        assert elsa.patch(path, {field: given}).json()["countdown"][field] == stored


def test_an_invalid_value_is_400_with_its_field(elsa: Caller) -> None:
    one = added(elsa)
    for field, wrong in WRONG:
        for answer in (
            elsa.post(PATH, EXAM | {field: wrong}),
            elsa.patch(f"{PATH}/{one['id']}", {field: wrong}),
        ):
            assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input"), wrong
            assert list(answer.json()["fields"]) == [field]
    assert elsa.get(PATH).json()["countdowns"] == [one]


def test_title_and_date_are_required(elsa: Caller) -> None:
    answer = elsa.post(PATH, {})
    assert answer.status_code == 400
    assert set(answer.json()["fields"]) == {"title", "targetDate"}


def test_an_invalid_body_is_400_before_404(elsa: Caller) -> None:
    nobodys = "0" * 32
    for path in (f"{PATH}/{nobodys}", f"{PATH}?id={nobodys}", f"{PATH}?id=x"):
        assert elsa.patch(path, {"theme": "red"}).status_code == 400
        assert elsa.patch(path, {"theme": "rose"}).status_code == 404
