"""What a calendar feed has beside lessons: exams, the school's events, plannings, countdowns."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine

from schoolproxy.models import CalendarFeed
from schoolproxy.services.calendar.dated import DatedEntries, as_lesson, follow_dated
from schoolproxy.services.calendar.entries import lesson_entry
from schoolproxy.services.calendar.items import event_item, exam_item
from schoolproxy.services.exam_rows import exams_of
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO
from tests.schoolproxy.feeds import ADDRESS, events, lessons, notices, subscribed, titles
from tests.schoolproxy.watching import pupil
from upstream.errors import UpstreamNotFound
from upstream.simulator.server import Simulator

BEGIN = datetime.fromisoformat("2026-03-09T09:00+01:00")
ALL = ["lessons", "events", "exams", "plannings", "countdowns"]
AWAY = "Allt utom lektionerna kunde inte uppdateras; skolans system svarar inte"


@pytest.fixture
def clock(simulator: Simulator) -> Iterator[Any]:
    with time_machine.travel(BEGIN, tick=False) as moved:
        yield lambda **passed: moved.shift(timedelta(**passed))


@pytest.fixture
def reader(clock: Any, caller: Caller) -> Caller:
    caller.sign_in()
    return caller


def choose(caller: Caller, *include: str, query: str = "", status: int = 200) -> str:
    answer = caller.post(f"{ADDRESS}{query}", {"include": list(include)})
    assert answer.status_code == status, answer.content
    assert answer.json()["include"] == [word for word in ALL if word in include]
    return urlsplit(str(answer.json()["url"])).path


def dated(answer: Any) -> dict[str, Any]:
    """The entries that are neither lessons nor countdowns, by title: the first of each."""
    found = [event for event in events(answer) if str(event["UID"]).endswith("@dated")]
    found.sort(key=lambda event: str(event.decoded("DTSTART")), reverse=True)
    return {str(event["SUMMARY"]): event for event in found}


def test_a_new_feed_has_exams_and_one_of_before_keeps_what_it_has(reader: Caller) -> None:
    made = reader.post(ADDRESS)
    assert made.json()["include"] == ["lessons", "exams", "countdowns"]
    path = urlsplit(made.json()["url"]).path
    assert any("Prov" in title or "förhör" in title for title in dated(subscribed(path)))
    CalendarFeed.objects.update(include="lessons,countdowns")
    assert reader.get(ADDRESS).json()["include"] == ["lessons", "countdowns"]
    again = reader.post(ADDRESS)
    assert again.status_code == 201
    assert again.json()["include"] == ["lessons", "countdowns"]
    answer = subscribed(urlsplit(again.json()["url"]).path)
    assert lessons(answer)
    assert not dated(answer)


def test_another_choice_keeps_the_address_and_the_entries(reader: Caller) -> None:
    assert (
        reader.post("/api/countdowns", {"title": "Lov", "targetDate": "2026-04-01"}).status_code
        == 201
    )
    path = choose(reader, "lessons", "exams", status=201)
    before = subscribed(path)
    assert "Lov" not in titles(before)
    assert choose(reader, *ALL) == path
    after = subscribed(path)
    assert {str(event["UID"]) for event in events(before)} < {str(e["UID"]) for e in events(after)}
    assert "Lov" in titles(after)
    assert {"Studiedag", "Lägerskola"} <= set(dated(after))
    days = dated(after)["Lägerskola"]
    assert (str(days.decoded("DTSTART")), str(days.decoded("DTEND"))) == (
        "2026-03-19",
        "2026-03-21",
    )
    assert choose(reader, "events") == path
    only = subscribed(path)
    assert not lessons(only)
    assert {"Studiedag", "Lägerskola"} <= set(titles(only)) <= set(dated(after))


def test_an_exam_that_moves_or_goes_is_the_same_entry(
    clock: Any, reader: Caller, simulator: Simulator
) -> None:
    elsa = pupil(simulator)
    due = datetime.fromisoformat("2026-03-24T10:00")
    number = simulator.state.assignments.add("bjorkdalen", elsa.user_id, "Prov i Ada", due)
    path = choose(reader, "lessons", "exams", status=201)
    before = dated(subscribed(path))["Prov i Ada"]
    clock(hours=1)
    assert dated(subscribed(path))["Prov i Ada"]["LAST-MODIFIED"].to_ical() == (
        before["LAST-MODIFIED"].to_ical()
    )
    simulator.state.assignments.change(
        "bjorkdalen", elsa.user_id, number, {"sortDate": "2026-03-26 10:00"}
    )
    clock(hours=1)
    moved = dated(subscribed(path))["Prov i Ada"]
    assert moved["UID"] == before["UID"]
    assert moved["SEQUENCE"] > before["SEQUENCE"]
    assert moved.decoded("LAST-MODIFIED") == BEGIN.astimezone(UTC) + timedelta(hours=2)
    assert f"{moved.decoded('DTSTART'):%m-%d}" == "03-26"
    simulator.state.assignments.remove("bjorkdalen", elsa.user_id, number)
    clock(hours=1)
    gone = dated(subscribed(path))["Prov i Ada"]
    assert (gone["UID"], gone["STATUS"]) == (before["UID"], "CANCELLED")


@pytest.mark.parametrize(
    ("operation", "fault"),
    [("dated", "not-json"), ("dated", "403"), ("subjects", "500"), ("subjects", "404")],
)
def test_what_fails_stays_as_it_was_and_an_entry_says_so(
    clock: Any, reader: Caller, simulator: Simulator, operation: str, fault: str
) -> None:
    path = choose(reader, "lessons", "exams", status=201)
    before = subscribed(path)
    simulator.faults.set(operation, fault)
    clock(minutes=6)
    after = subscribed(path)
    assert dated(after) == dated(before)
    assert lessons(after) == lessons(before)
    assert AWAY in titles(after)
    assert notices(after) == []
    simulator.faults.clear()
    clock(minutes=6)
    assert AWAY not in titles(subscribed(path))


def test_a_school_without_such_a_list_has_the_lessons(reader: Caller, simulator: Simulator) -> None:
    for operation in ("dated", "events", "subjects.plannings"):
        simulator.faults.set(operation, "404")
    answer = subscribed(choose(reader, *ALL, status=201))
    assert lessons(answer)
    assert not dated(answer)
    assert AWAY not in titles(answer)


def test_a_refusal_is_a_failure_while_something_is_ahead() -> None:
    row = {"entityId": 5, "category": "test", "name": "Prov", "startDate": "2026-03-12"}
    lesson = as_lesson(exam_item(exams_of([row], {})[0]))
    refused = {"exams": UpstreamNotFound()}
    before = follow_dated({}, {"exams": [lesson]}, owner="1", at=BEGIN)
    kept = follow_dated(before, refused, owner="1", at=BEGIN)
    assert kept == {"exams": DatedEntries(before["exams"].rows, failed=True)}
    for known, at in ((kept, BEGIN + timedelta(days=4)), ({}, BEGIN), ({}, None)):
        found = follow_dated(known, refused, owner="1", at=at)
        assert found == {"exams": DatedEntries([])}


@pytest.mark.parametrize(("status", "cancelled"), [(3, True), (2, False), (None, False)])
def test_an_event_that_the_school_strikes_through_is_cancelled(
    status: int | None, cancelled: bool
) -> None:
    event = {"eventId": 7, "name": "Friluftsdag", "startDate": "2026-03-12", "status": status}
    entry = lesson_entry("uid", as_lesson(event_item(event)))
    assert entry.cancelled is cancelled
    assert ("Inställd" in entry.text) is cancelled


def test_a_failure_is_no_empty_calendar(reader: Caller, simulator: Simulator) -> None:
    path = choose(reader, "exams", status=201)
    simulator.faults.set("dated", "500")
    assert subscribed(path).status_code == 503
    simulator.faults.set("dated", "empty-list")
    assert events(subscribed(path)) == []


def test_nothing_is_kept_where_nothing_may_be(reader: Caller, settings: Any) -> None:
    settings.SCHOOL_CACHE_SECONDS = 0
    path = choose(reader, *ALL, status=201)
    answer = subscribed(path)
    assert "LAST-MODIFIED" not in dated(answer)["Studiedag"]
    feed = CalendarFeed.objects.get()
    assert (feed.weeks, feed.dated) == (None, None)


def test_the_children_of_a_guardian_have_feeds_of_their_own(clock: Any, eva: Caller) -> None:
    del clock
    found = {}
    for child in (BO, ALVA, BO):
        path = choose(eva, "exams", query=f"?child={child}", status=200 if child in found else 201)
        found[child] = {str(each["UID"]) for each in dated(subscribed(path)).values()}
    assert found[BO]
    assert not found[BO] & found[ALVA]
    assert eva.get(f"{ADDRESS}?child={ALVA}").json()["include"] == ["exams"]


def test_a_teacher_has_lessons(clock: Any, simulator: Simulator, db: None) -> None:
    del clock
    path = choose(signed_in("torbjörn.ekvik"), *ALL, status=201)
    answer = subscribed(path)
    assert lessons(answer)
    assert simulator.requests.count_operation("dated") == 0


@pytest.mark.parametrize("include", [[], ["grades"], "lessons", ["lessons"] * 6, [None], {"a": 1}])
def test_another_choice_is_400(reader: Caller, include: Any) -> None:
    answer = reader.post(ADDRESS, {"include": include})
    assert answer.status_code == 400
    assert all(name.startswith("include") for name in answer.json()["fields"])
    assert not CalendarFeed.objects.exists()
