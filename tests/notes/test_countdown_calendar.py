"""Countdowns in the calendar, with a session and under the secret address of the feed."""

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import time_machine
from django.utils import timezone

from tests.calendar_files import read_calendar
from tests.conftest import Caller
from tests.notes.test_countdowns import PATH, added
from tests.schoolproxy.feeds import new_feed, subscribed
from upstream.simulator.server import Simulator

STOCKHOLM = ZoneInfo("Europe/Stockholm")


def days(answer: Any) -> list[Any]:
    """The events of countdowns in an answer."""
    assert answer.status_code == 200, answer.content
    events: list[Any] = read_calendar(answer.content).walk("VEVENT")
    return [event for event in events if str(event["UID"]).endswith("@countdown")]


def test_a_countdown_to_midnight_is_a_whole_day(elsa: Caller) -> None:
    # Summer time begins on the last of them.
    for day in ("2027-05-11", "2026-12-24", "2027-03-28"):
        one = added(elsa, title="Prov; kap 1, 2", description="Del A\nDel B", targetDate=day)
        for answer in (elsa.get("/api/schedule.ics"), subscribed(new_feed(elsa))):
            (event,) = days(answer)
            assert event["UID"] == f"{one['id']}@countdown"
            assert event["DTSTART"].dt == date.fromisoformat(day)
            assert (event["DTEND"].dt - event["DTSTART"].dt).days == 1
            assert event["TRANSP"] == "TRANSPARENT"
            assert (event["SUMMARY"], event["DESCRIPTION"]) == ("Prov; kap 1, 2", "Del A\nDel B")
        elsa.delete(f"{PATH}/{one['id']}")


def test_any_other_countdown_is_an_hour_in_stockholm(elsa: Caller) -> None:
    added(elsa, targetDate="2027-06-29T06:30:00Z", emoji="🎓")
    (event,) = days(subscribed(new_feed(elsa)))
    assert event["DTSTART"].dt == datetime(2027, 6, 29, 8, 30, tzinfo=STOCKHOLM)
    assert event["DTEND"].dt == datetime(2027, 6, 29, 9, 30, tzinfo=STOCKHOLM)
    assert event["SUMMARY"] == "🎓 Nationella prov"
    assert "DESCRIPTION" not in event


def test_an_archived_countdown_is_left_out(elsa: Caller) -> None:
    one = added(elsa)
    address = new_feed(elsa)
    for archived, seen in ((False, 1), (True, 0), (False, 1)):
        elsa.patch(f"{PATH}/{one['id']}", {"archived": archived})
        assert len(days(subscribed(address))) == seen
    elsa.delete(f"{PATH}/{one['id']}")
    assert days(subscribed(address)) == []


def test_a_changed_countdown_keeps_its_uid(elsa: Caller) -> None:
    one = added(elsa)
    address = new_feed(elsa)
    before = subscribed(address)
    elsa.patch(f"{PATH}/{one['id']}", {"title": "Omprov", "targetDate": "2027-06-01"})
    after = subscribed(address, **{"If-None-Match": before.headers["ETag"]})
    (old,), (new,) = days(before), days(after)
    assert old["UID"] == new["UID"]
    assert (new["SUMMARY"], new["DTSTART"].dt) == ("Omprov", date(2027, 6, 1))


def test_a_changed_countdown_is_a_new_version(elsa: Caller) -> None:
    one = added(elsa)
    address = new_feed(elsa)
    (old,) = days(subscribed(address))
    with time_machine.travel(timezone.now() + timedelta(seconds=5), tick=False):
        elsa.patch(f"{PATH}/{one['id']}", {"title": "Omprov"})
        now = timezone.now().replace(microsecond=0)
    (new,) = days(subscribed(address))
    assert new["SEQUENCE"] > old["SEQUENCE"]
    assert new.decoded("LAST-MODIFIED") == new.decoded("DTSTAMP") == now


def test_an_unchanged_calendar_is_304(elsa: Caller) -> None:
    for day in ("2027-05-11", "2027-05-11", "2027-04-01"):
        added(elsa, targetDate=day)
    address = new_feed(elsa)
    etag = subscribed(address).headers["ETag"]
    assert subscribed(address, **{"If-None-Match": etag}).status_code == 304


def test_it_is_not_in_another_accounts_calendar(elsa: Caller, zoe: Caller) -> None:
    added(elsa)
    assert days(zoe.get("/api/schedule.ics")) == []
    assert days(subscribed(new_feed(zoe))) == []


def test_it_is_there_while_the_school_is_unavailable(elsa: Caller, simulator: Simulator) -> None:
    address = new_feed(elsa)
    subscribed(address)
    one = added(elsa)
    simulator.faults.set("lessons", "500")
    (event,) = days(subscribed(address))
    assert event["UID"] == f"{one['id']}@countdown"


def test_the_first_and_last_possible_dates_are_in_the_calendar(elsa: Caller) -> None:
    for day in ("1970-01-01", "2200-12-31"):
        added(elsa, targetDate=day)
    first, last = days(subscribed(new_feed(elsa)))
    assert (first["DTSTART"].dt, last["DTEND"].dt) == (date(1970, 1, 1), date(2201, 1, 1))
