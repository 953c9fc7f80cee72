"""What a calendar program learns of a lesson that changes, is cancelled, or gets a new number."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import orjson
import pytest
import time_machine
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.encryption import Ciphertext
from schoolproxy.models import CalendarFeed
from schoolproxy.services.calendar.feed_content import stored_content
from tests.conftest import Caller
from tests.schoolproxy.feeds import events, new_feed, subscribed
from tests.schoolproxy.watching import edit, pupil
from upstream.simulator.server import Simulator

BEGIN = datetime.fromisoformat("2026-03-09T09:00+01:00")
# The week after the next one, and a lesson in it.
TUESDAY = date(2026, 3, 24)


@pytest.fixture
def clock(simulator: Simulator) -> Iterator[Any]:
    """A frozen clock at nine on a Monday; `clock(minutes=6)` moves it on."""
    with time_machine.travel(BEGIN, tick=False) as moved:
        yield lambda **passed: moved.shift(timedelta(**passed))


@pytest.fixture
def path(clock: Any, caller: Caller) -> str:
    caller.sign_in()
    return new_feed(caller)


def at(answer: Any, start: str = "08:20", day: date = TUESDAY) -> Any:
    """The entry that begins then."""
    moment = f"{day:%Y%m%d}T{start.replace(':', '')}00".encode()
    (event,) = [event for event in events(answer) if event["DTSTART"].to_ical() == moment]
    return event


def version(event: Any) -> tuple[datetime, datetime, int]:
    return event.decoded("DTSTAMP"), event.decoded("LAST-MODIFIED"), event["SEQUENCE"]


def answer_with(simulator: Simulator, *lessons: dict[str, Any]) -> None:
    headers = {"Content-Type": "application/json"}
    simulator.faults.set("lessons", "answer", headers=headers, body=orjson.dumps(lessons))


@pytest.mark.parametrize(("kind", "value"), [("room", "Aula"), ("teacher", "Vikarie")])
def test_a_change_is_a_new_version_of_the_same_entry(
    clock: Any, path: str, simulator: Simulator, kind: str, value: str
) -> None:
    before = at(subscribed(path))
    assert version(before)[:2] == (BEGIN, BEGIN)
    clock(hours=1)
    unchanged = subscribed(path)
    assert version(at(unchanged)) == version(before)
    clock(hours=1)
    edit(simulator, kind, TUESDAY, value=value)
    answer = subscribed(path)
    after = at(answer)
    now = BEGIN.astimezone(UTC) + timedelta(hours=2)
    assert after["UID"] == before["UID"]
    assert version(after)[:2] == (now, now)
    assert version(after)[2] > version(before)[2]
    assert value in str(after.get("LOCATION", "")) + str(after["DESCRIPTION"])
    rest = {str(event["UID"]): version(event) for event in events(answer)}
    assert {each for each in rest.values() if each[0] == now} == {rest[after["UID"]]}
    clock(minutes=1)
    assert subscribed(path).content == answer.content
    assert subscribed(path, **{"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_an_unchanged_feed_is_304_after_another_fetch(
    clock: Any, path: str, simulator: Simulator
) -> None:
    tag = subscribed(path).headers["ETag"]
    for _ in range(2):
        clock(minutes=6)
        assert subscribed(path, **{"If-None-Match": tag}).status_code == 304


def test_a_lesson_that_moves_on_its_day_keeps_its_uid(
    clock: Any, path: str, simulator: Simulator
) -> None:
    before = at(subscribed(path))
    clock(minutes=6)
    edit(simulator, "moved", TUESDAY, value="07:30")
    answer = subscribed(path)
    after = at(answer, "07:30")
    assert (after["UID"], "STATUS" in after) == (before["UID"], False)
    assert version(after)[2] > version(before)[2]
    assert not [event for event in events(answer) if "STATUS" in event]


@pytest.mark.parametrize("value", ["gone", "3"])
def test_a_cancelled_lesson_stays_until_its_day_is_over(
    clock: Any, path: str, simulator: Simulator, value: str
) -> None:
    before = at(subscribed(path))
    clock(minutes=6)
    if value == "gone":
        edit(simulator, "cancelled", TUESDAY)
    else:
        edit(simulator, "status", TUESDAY, value=value)
    for day in (9, 16, 24):
        clock(days=day - (datetime.now(UTC)).day)
        after = at(subscribed(path))
        assert (after["UID"], after["STATUS"]) == (before["UID"], "CANCELLED")
        assert (after["SUMMARY"], after["TRANSP"]) == (before["SUMMARY"], "TRANSPARENT")
        assert version(after)[0] == BEGIN + timedelta(minutes=6)
        assert version(after)[2] > version(before)[2]
    if value == "gone":
        clock(days=1)
        assert before["UID"] not in {event["UID"] for event in events(subscribed(path))}
        kept = stored_content(CalendarFeed.objects.get(), timezone.now()).lessons or []
        assert before["UID"] not in {known.uid for known in kept}


def test_a_cancelled_lesson_is_not_shown_longer_because_the_school_is_away(
    clock: Any, path: str, simulator: Simulator
) -> None:
    subscribed(path)
    edit(simulator, "cancelled", date(2026, 3, 9), start="13:35")
    clock(minutes=6)
    gone = at(subscribed(path), "13:35", date(2026, 3, 9))
    simulator.faults.set("lessons", "500")
    clock(hours=8)
    assert gone["UID"] in {event["UID"] for event in events(subscribed(path))}
    clock(hours=8)
    assert gone["UID"] not in {event["UID"] for event in events(subscribed(path))}


def test_a_lesson_that_comes_back_is_not_cancelled_any_more(
    clock: Any, path: str, simulator: Simulator
) -> None:
    before = at(subscribed(path))
    clock(minutes=6)
    edit(simulator, "cancelled", TUESDAY)
    cancelled = at(subscribed(path))
    simulator.state.schedule.undo("bjorkdalen", pupil(simulator).user_id)
    clock(minutes=6)
    after = at(subscribed(path))
    assert after["UID"] == before["UID"]
    assert "STATUS" not in after
    assert version(before)[2] < version(cancelled)[2] < version(after)[2]


def test_lessons_that_are_numbered_anew_stay_the_same(
    clock: Any, path: str, simulator: Simulator
) -> None:
    day = {"startDate": "2026-03-24T08:20", "endDate": "2026-03-24T09:20"}
    answer_with(simulator, day | {"eventId": 1, "name": "Ma"}, day | {"eventId": 2, "name": "Ty"})
    before = subscribed(path)
    answer_with(simulator, day | {"eventId": 9, "name": "Ty"}, day | {"eventId": 8, "name": "Ma"})
    clock(minutes=6)
    assert subscribed(path).content == before.content


def test_a_week_that_cannot_be_read_cancels_nothing(
    clock: Any, path: str, simulator: Simulator
) -> None:
    before = subscribed(path)
    for fault in ("500", "not-json", "200-html", "truncated"):
        simulator.faults.set("lessons", fault)
        clock(minutes=6)
        assert not [event for event in events(subscribed(path)) if "STATUS" in event]
        simulator.faults.clear()
    clock(days=1)
    assert {e["UID"] for e in events(subscribed(path))} == {e["UID"] for e in events(before)}


def test_an_answer_of_another_week_or_with_unreadable_rows_cancels_nothing(
    clock: Any, path: str, simulator: Simulator
) -> None:
    lesson = {"eventId": 1, "name": "Ma", "startDate": "2026-03-24T08:20"}
    answer_with(simulator, lesson)
    before = at(subscribed(path))
    for rows in (
        [lesson | {"startDate": "2025-03-25T08:20", "eventId": 7}],
        [lesson | {"startDate": None}, lesson | {"eventId": 2, "startDate": "2026-03-24T10:00"}],
    ):
        answer_with(simulator, *rows)
        clock(minutes=6)
        assert version(at(subscribed(path))) == version(before)
    answer_with(simulator)
    for minutes in (6, 6, 18):
        clock(minutes=minutes)
        assert version(at(subscribed(path))) == version(before)
    clock(minutes=6)
    assert at(subscribed(path))["STATUS"] == "CANCELLED"


def test_without_a_cache_nothing_is_kept(
    clock: Any, path: str, simulator: Simulator, settings: Settings
) -> None:
    settings.SCHOOL_CACHE_SECONDS = 0
    first = subscribed(path)
    assert not {"SEQUENCE", "LAST-MODIFIED"} & at(first).keys()
    clock(minutes=6)
    assert subscribed(path).content == first.content
    feed = CalendarFeed.objects.get()
    assert (feed.weeks, feed.history) == (None, None)


def test_a_history_that_cannot_be_decrypted_is_begun_anew(
    clock: Any, path: str, simulator: Simulator
) -> None:
    before = at(subscribed(path))
    clock(minutes=6)
    changed_at = version(at(subscribed(path)))
    CalendarFeed.objects.update(history=Ciphertext(b"encrypted with a key that is gone"))
    for _ in range(2):
        after = at(subscribed(path))
        assert after["UID"] == before["UID"]
        assert version(after) > changed_at  # a program never sees an older version
        clock(minutes=6)
