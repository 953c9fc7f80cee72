"""A calendar feed of a guardian keeps the child with its address."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import orjson
import time_machine
from django.utils import timezone

from accounts.models import Account
from schoolproxy.contributions import CONTRIBUTIONS
from schoolproxy.models import CalendarFeed, ChildCalendarFeed
from schoolproxy.services.feeds import make_feed, purge_old_weeks
from tests.calendar_files import read_calendar
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, GUARDIAN, NAMES, change, outcome
from tests.schoolproxy.feeds import ADDRESS, events, lessons, notices, subscribed
from upstream.simulator.server import Simulator


def new_feed(caller: Caller, child: str) -> str:
    answer = caller.post(f"{ADDRESS}?child={child}")
    assert answer.status_code == 201, answer.content
    return urlsplit(str(answer.json()["url"])).path


def facts(answer: Any) -> set[tuple[str, ...]]:
    """What the lessons of a calendar are, without their uids."""
    names = ("SUMMARY", "DTSTART", "LOCATION")
    return {
        tuple(str(event.get(name) and event[name].to_ical()) for name in names)
        for event in events(answer)
        if not str(event["UID"]).endswith("@dated")
    }


def name_of(answer: Any) -> str:
    assert answer.status_code == 200, answer.content
    return str(read_calendar(answer.content)["X-WR-CALNAME"])


def later(minutes: int) -> Any:
    return time_machine.travel(timezone.now() + timedelta(minutes=minutes), tick=False)


def test_each_child_has_a_feed_of_its_own(eva: Caller) -> None:
    paths = {child: new_feed(eva, child) for child in (BO, ALVA)}
    own = {child: signed_in(NAMES[child].lower().replace(" ", ".")) for child in paths}
    for child, path in paths.items():
        answer = subscribed(path)
        assert name_of(answer) == f"Schema: {NAMES[child]}"
        mine = own[child].get("/api/schedule.ics")
        assert facts(answer) == facts(mine)
        assert lessons(answer) == lessons(eva.get(f"/api/schedule.ics?child={child}"))
        assert not lessons(answer) & lessons(mine)
        assert eva.get(f"{ADDRESS}?child={child}").json()["url"].endswith(path)
    assert eva.delete(f"{ADDRESS}?child={BO}").status_code == 200
    assert subscribed(paths[BO]).status_code == 404
    assert subscribed(paths[ALVA]).status_code == 200


def test_entries_of_two_children_and_of_a_pupil_are_never_the_same(
    eva: Caller, simulator: Simulator
) -> None:
    lesson = {"eventId": 1, "name": "Ma", "startDate": f"{timezone.localdate()}T08:20"}
    headers = {"Content-Type": "application/json"}
    simulator.faults.set("lessons", "answer", headers=headers, body=orjson.dumps([lesson]))
    readers = [subscribed(new_feed(eva, child)) for child in (BO, ALVA)]
    readers.append(signed_in("bo.ek").get("/api/schedule.ics"))
    assert len(set.union(*map(lessons, readers))) == sum(len(lessons(each)) for each in readers)


def test_the_default_does_not_change_whose_it_is(eva: Caller) -> None:
    eva.put("/api/children/default", {"id": BO})
    path = urlsplit(str(eva.post(ADDRESS).json()["url"])).path
    eva.put("/api/children/default", {"id": ALVA})
    with later(6):
        assert name_of(subscribed(path)) == "Schema: Bo Ek"


def test_it_needs_a_child(eva: Caller) -> None:
    for answer in (eva.get(ADDRESS), eva.post(ADDRESS), eva.delete(ADDRESS)):
        assert outcome(answer) == (400, "child_required")
    for wrong in ("x", "730214"):
        assert eva.post(f"{ADDRESS}?child={wrong}").status_code in (400, 404)
    elsa = signed_in("elsa.nordvall")
    assert outcome(elsa.post(f"{ADDRESS}?child={BO}")) == (400, "child_not_allowed")


def test_the_calendar_with_a_session_names_the_child(eva: Caller) -> None:
    tags = set()
    for child, name in NAMES.items():
        answer = eva.get(f"/api/schedule.ics?child={child}&week=29")
        assert name_of(answer) == f"Schema: {name}"
        tags.add(answer["ETag"])
    assert len(tags) == 2
    assert outcome(eva.get("/api/schedule.ics")) == (400, "child_required")


def test_a_child_who_left_is_404_and_the_lessons_are_deleted(
    eva: Caller, simulator: Simulator
) -> None:
    path = new_feed(eva, ALVA)
    subscribed(path)
    assert ChildCalendarFeed.objects.get().weeks
    del simulator.state.schools["bjorkdalen"].people["alva.lind"]
    with later(11):
        eva.get("/api/children")
        row = ChildCalendarFeed.objects.get()
        assert (row.weeks, row.history) == (None, None)
        answer = subscribed(path)
        assert answer.status_code == 404
        assert answer.content == subscribed("/feeds/nobodys.ics").content


def test_it_serves_the_last_lessons_of_the_same_child(eva: Caller, simulator: Simulator) -> None:
    path = new_feed(eva, ALVA)
    before = lessons(subscribed(path))
    with later(6):
        simulator.faults.set("lessons", "500")
        answer = subscribed(path)
        assert lessons(answer) == before
        assert notices(answer)
        assert name_of(answer) == "Schema: Alva Lind"


def test_what_is_not_proven_is_not_served(eva: Caller, simulator: Simulator) -> None:
    path = new_feed(eva, ALVA)
    eva.get("/api/children")
    simulator.faults.set("child", "no-current-child")
    assert outcome(subscribed(path)) == (502, "upstream_changed")


def test_a_feed_made_by_the_version_before_serves_an_only_child(
    simulator: Simulator, db: None
) -> None:
    eva, gun = signed_in(GUARDIAN), signed_in("gun.nordvall")
    for caller, status in ((gun, 200), (eva, 404)):
        session = caller.get("/api/session").json()["session"]
        account = session["username"]
        token = make_feed(Account.objects.get(username=account).pk, None)
        eva.put("/api/children/default", {"id": BO})
        assert subscribed(f"/feeds/{token}.ics").status_code == status


def test_a_pupil_who_is_someones_child_keeps_a_feed_of_their_own(eva: Caller) -> None:
    bo = signed_in("bo.ek")
    own = urlsplit(str(bo.post(ADDRESS).json()["url"])).path
    theirs = new_feed(eva, BO)
    eva.delete(f"{ADDRESS}?child={BO}")
    assert subscribed(theirs).status_code == 404
    assert subscribed(own).status_code == 200


def test_a_feed_at_the_childs_second_school(simulator: Simulator, db: None) -> None:
    change(simulator, "alva.lind", org_ids=(41, 42))
    eva = signed_in(GUARDIAN)
    answer = eva.post(f"{ADDRESS}?child={ALVA}&org=42")
    at_second = lessons(subscribed(urlsplit(str(answer.json()["url"])).path))
    answer = eva.post(f"{ADDRESS}?child={ALVA}")
    at_first = lessons(subscribed(urlsplit(str(answer.json()["url"])).path))
    assert at_first - at_second
    assert ChildCalendarFeed.objects.count() == 1


def test_old_lessons_are_purged_and_an_erasure_deletes_the_feeds(eva: Caller) -> None:
    subscribed(new_feed(eva, BO))
    new_feed(eva, ALVA)
    with later(31 * 24 * 60):
        assert purge_old_weeks().expired == 1
    account = ChildCalendarFeed.objects.first()
    assert account is not None
    found: Any = dict(CONTRIBUTIONS.personal_data.export(account.account_id))
    assert {row["child"] for row in found["child_calendar_feeds.json"]} == {BO, ALVA}
    CONTRIBUTIONS.personal_data.erase(account.account_id)
    assert not ChildCalendarFeed.objects.exists()
    assert not CalendarFeed.objects.exists()
