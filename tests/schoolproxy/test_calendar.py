"""GET /api/schedule.ics: the calendar of a signed-in caller."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import orjson
import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from schoolproxy.services.calendar.weeks import weeks_from_now
from tests.calendar_files import read_calendar
from tests.conftest import Caller
from upstream.simulator.server import Simulator

PATH = "/api/schedule.ics"
STOCKHOLM = ZoneInfo("Europe/Stockholm")
MONDAY = datetime(2026, 3, 9, 7, tzinfo=STOCKHOLM)


def events(answer: Any) -> list[Any]:
    assert answer.status_code == 200, answer.content
    return list(read_calendar(answer.content).walk("VEVENT"))


def starts(answer: Any) -> set[tuple[int, int]]:
    """The ISO years and weeks in which events start."""
    found = [event.decoded("DTSTART").isocalendar() for event in events(answer)]
    return {(each.year, each.week) for each in found}


def test_it_is_an_icalendar_file(elsa: Caller) -> None:
    answer = elsa.get(PATH)
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'inline; filename="schedule.ics"'
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.headers["Vary"] == "Cookie, Authorization"
    assert read_calendar(answer.content)["METHOD"] == "PUBLISH"


def test_it_has_the_current_week_and_the_next_three(elsa: Caller, simulator: Simulator) -> None:
    with time_machine.travel(MONDAY, tick=False):
        elsa.sign_in()
        assert starts(elsa.get(PATH)) == {(2026, week) for week in (11, 12, 13, 14)}
    assert simulator.requests.count("lessons") == 4


def test_the_weeks_may_cross_the_end_of_a_year(elsa: Caller) -> None:
    with time_machine.travel(datetime(2026, 12, 17, 12, tzinfo=STOCKHOLM), tick=False):
        assert weeks_from_now() == [51, 52, 53, 1]
        elsa.sign_in()
        assert starts(elsa.get(PATH)) == {(2026, 51), (2026, 52), (2026, 53), (2027, 1)}


def test_the_week_changes_at_midnight_in_stockholm() -> None:
    sunday_night = datetime(2026, 3, 15, 23, 30, tzinfo=STOCKHOLM)
    for later, week in ((timedelta(0), 11), (timedelta(hours=1), 12)):
        with time_machine.travel(sunday_night + later, tick=False):
            assert weeks_from_now()[0] == week


def test_the_query_may_name_a_week(elsa: Caller) -> None:
    with time_machine.travel(MONDAY, tick=False):
        elsa.sign_in()
        assert starts(elsa.get(f"{PATH}?week=13")) == {(2026, 13)}
        assert starts(elsa.get(f"{PATH}?week=07")) == {(2026, 7)}


def test_it_has_the_lessons_of_the_schedule(elsa: Caller) -> None:
    lessons = elsa.get("/api/schedule?week=11&parallel=keep").json()["schedule"]
    shown = {(lesson["startDate"], lesson["room"] or "") for lesson in lessons}
    found = {
        (f"{event.decoded('DTSTART'):%Y-%m-%dT%H:%M}", str(event.get("LOCATION", "")))
        for event in events(elsa.get(f"{PATH}?week=11"))
    }
    assert found == {(start, room.strip()) for start, room in shown}


def test_an_unchanged_calendar_is_304(elsa: Caller) -> None:
    first = elsa.get(PATH)
    for tag in (
        first.headers["ETag"],
        f"W/{first.headers['ETag']}",
        f'"x", {first.headers["ETag"]}',
    ):
        again = elsa.get(PATH, **{"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
        assert "Content-Type" not in again.headers
    assert elsa.get(PATH, **{"If-None-Match": '"other"'}).status_code == 200
    head = elsa.http.head(PATH)
    assert (head.status_code, head.headers["ETag"]) == (200, first.headers["ETag"])


def test_the_etag_changes_only_with_the_lessons(elsa: Caller, simulator: Simulator) -> None:
    with time_machine.travel(MONDAY, tick=False) as clock:
        elsa.sign_in()
        tag = elsa.get(PATH).headers["ETag"]
        clock.shift(600)
        assert elsa.get(PATH).headers["ETag"] == tag
        lesson = {"eventId": 1, "name": "Ma", "startDate": "2026-03-09T08:20"}
        answer_lessons(simulator, [lesson])
        clock.shift(600)
        changed = elsa.get(PATH)
        assert changed.headers["ETag"] != tag
        assert [event["SUMMARY"] for event in events(changed)] == ["Ma"]


def test_its_timestamp_is_the_beginning_of_the_week(elsa: Caller) -> None:
    for later in (timedelta(0), timedelta(days=3), timedelta(days=6)):
        with time_machine.travel(MONDAY + later, tick=False):
            elsa.sign_in()
            stamps = {event.decoded("DTSTAMP") for event in events(elsa.get(PATH))}
        assert stamps == {MONDAY.replace(hour=0)}


def answer_lessons(simulator: Simulator, lessons: list[dict[str, Any]]) -> None:
    headers = {"Content-Type": "application/json"}
    simulator.faults.set("lessons", "answer", headers=headers, body=orjson.dumps(lessons))


def test_a_cached_calendar_takes_no_call_and_one_query(elsa: Caller, simulator: Simulator) -> None:
    elsa.get(PATH)
    simulator.requests.clear()
    with CaptureQueriesContext(connection) as queries:
        assert elsa.get(PATH).status_code == 200
    # The lessons are cached; the countdowns are not.
    assert (len(queries), len(simulator.requests)) == (1, 0)


def test_in_an_outage_it_is_stale_and_has_a_notice(elsa: Caller, simulator: Simulator) -> None:
    with time_machine.travel(MONDAY, tick=False) as clock:
        elsa.sign_in()
        good = len(events(elsa.get(PATH)))
        simulator.faults.set("lessons", "500")
        clock.shift(600)
        stale = events(elsa.get(PATH))
        assert len(stale) == good + 1
        assert stale[-1]["SUMMARY"] == "Schemat kunde inte uppdateras; skolans system svarar inte"
        assert stale[-1].decoded("DTSTART") == MONDAY.date()
        clock.shift(600)
        assert elsa.get(PATH).status_code == 503


@pytest.mark.parametrize(("fault", "status"), [("500", 503), ("401", 401), ("200-html", 401)])
def test_a_failure_is_an_error_in_json_and_never_an_empty_calendar(
    fault: str, status: int, elsa: Caller, simulator: Simulator
) -> None:
    simulator.faults.set("lessons", fault)
    answer = elsa.get(PATH)
    assert answer.status_code == status
    assert answer.json()["success"] is False


def test_if_one_week_fails_the_calendar_fails(elsa: Caller, simulator: Simulator) -> None:
    simulator.faults.set("lessons", "404", times=1)
    assert elsa.get(PATH).status_code == 404


def test_nobody_gets_the_calendar_of_another(
    elsa: Caller, zoe: Caller, simulator: Simulator
) -> None:
    hers = {event["UID"] for event in events(zoe.get(PATH))}
    assert not hers & {event["UID"] for event in events(elsa.get(PATH))}
