"""GET /api/watch and GET /api/schedule/changes."""

from datetime import timedelta

import pytest
import time_machine
from pytest_django.fixtures import Settings

from accounts.models import Account
from accounts.services.erasure import erase_account
from schoolproxy.models import ScheduleChange, Watch
from schoolproxy.services.watch.looks import look_at_the_school
from schoolproxy.services.watch.watches import purge_old_changes
from tests.conftest import Caller, signed_in
from tests.schoolproxy.watching import (
    MORNING,
    edit,
    later,
    look_twice,
    pupil,
    watch,
)
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.usefixtures("traveller")


def _room_changed(simulator: Simulator, traveller: time_machine.Traveller) -> None:
    look_at_the_school()
    edit(simulator, "room", value="Aula")
    look_twice(traveller)


def test_without_a_watch_it_is_off(elsa: Caller) -> None:
    assert elsa.get("/api/watch").json() == {
        "success": True,
        "watch": {
            "on": False,
            "since": None,
            "lastLookAt": None,
            "nextLookAt": None,
            "status": "off",
            "children": [],
        },
    }


def test_it_says_when_the_school_was_looked_at_and_will_be(
    elsa: Caller, traveller: time_machine.Traveller
) -> None:
    watch()
    look_at_the_school()
    shown = elsa.get("/api/watch").json()["watch"]
    now = int(MORNING.timestamp() * 1000)
    assert (shown["on"], shown["status"], shown["lastLookAt"]) == (True, "ok", now)
    assert shown["since"] == now
    assert 57 <= (shown["nextLookAt"] - now) / 60_000 <= 66


def test_the_next_look_is_when_the_budget_allows_it(elsa: Caller, settings: Settings) -> None:
    account = watch()
    others = [Account(school="bjorkdalen", upstream_user_id=n, username=f"p{n}") for n in range(60)]
    rows = [
        Watch(account=each, next_look_at=MORNING - timedelta(hours=1))
        for each in Account.objects.bulk_create(others)
    ]
    Watch.objects.bulk_create(rows)
    settings.WATCH_REQUESTS_PER_MINUTE = 7
    shown = elsa.get("/api/watch").json()["watch"]
    assert shown["nextLookAt"] == int((MORNING + timedelta(hours=1)).timestamp() * 1000)
    assert Watch.objects.get(account=account).next_look_at == MORNING


def test_it_says_that_the_school_does_not_answer_and_that_the_login_is_dead(
    elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    watch()
    simulator.faults.set("traffic", "503")
    later(traveller, seconds=31)
    simulator.faults.clear()
    assert elsa.get("/api/watch").json()["watch"]["status"] == "waiting_for_school"
    simulator.state.kill_tokens(pupil(simulator))
    simulator.state.kill_web_sessions(pupil(simulator))
    later(traveller, minutes=20)
    assert Watch.objects.get().status == "sign_in_again"


def test_changes_are_listed_for_30_days(
    elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    account = watch()
    _room_changed(simulator, traveller)
    elsa = signed_in()
    [change] = elsa.get("/api/schedule/changes").json()["changes"]
    assert (change["change"], change["date"]) == ("room", "2026-03-10")
    assert change["after"] == change["lesson"] | {"room": "Aula"}
    assert elsa.get(f"/api/schedule/changes?since={change['at']}").json()["changes"] == []
    since = elsa.get(f"/api/schedule/changes?since={change['at'] - 1}")
    assert len(since.json()["changes"]) == 1
    later(traveller, days=31)
    assert signed_in().get("/api/schedule/changes").json()["changes"] == []
    assert purge_old_changes().expired == 1
    assert not ScheduleChange.objects.filter(account=account).exists()


def test_an_invalid_time_is_400(elsa: Caller) -> None:
    for since in ("-1", "soon", "1e5", "9" * 16, ""):
        answer = elsa.get(f"/api/schedule/changes?since={since}")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input"), since


def test_a_guardian_says_whose_changes(
    simulator: Simulator, db: None, traveller: time_machine.Traveller
) -> None:
    signed_in("eva.ek")
    watch("eva.ek")
    for _ in range(5):
        later(traveller, minutes=2)
    edit(simulator, "room", value="Aula", name="bo.ek")
    later(traveller, minutes=70)
    for _ in range(4):
        later(traveller, minutes=2)
    eva = signed_in("eva.ek")
    assert eva.get("/api/schedule/changes").status_code == 400
    bo = eva.get("/api/schedule/changes?child=730217").json()["changes"]
    assert [each["change"] for each in bo] == ["room"]
    assert eva.get("/api/schedule/changes?child=730216").json()["changes"] == []
    assert eva.get("/api/schedule/changes?child=730214").status_code == 404
    shown = eva.get("/api/watch").json()["watch"]
    assert [each["name"] for each in shown["children"]] == ["Alva Lind", "Bo Ek"]
    assert {each["status"] for each in shown["children"]} == {"ok"}


def test_nobody_sees_the_changes_of_others(
    elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    watch()
    _room_changed(simulator, traveller)
    zoe = signed_in("zoe.åkerman", "nyvang")
    assert zoe.get("/api/schedule/changes").json()["changes"] == []
    assert zoe.get("/api/watch").json()["watch"]["on"] is False


def test_what_was_seen_is_gone_with_the_last_login(
    elsa: Caller, traveller: time_machine.Traveller
) -> None:
    account = watch()
    look_at_the_school()
    phone = signed_in()
    phone.post("/api/logout")
    assert Watch.objects.get(account=account).state is not None
    elsa.post("/api/logout")
    assert Watch.objects.get(account=account).state is None


def test_an_erasure_leaves_nothing(
    elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    account = watch()
    _room_changed(simulator, traveller)
    erase_account(account)
    assert not Watch.objects.exists()
    assert not ScheduleChange.objects.exists()


def test_what_is_kept_says_nothing_in_the_clear(
    elsa: Caller, simulator: Simulator, traveller: time_machine.Traveller
) -> None:
    watch()
    _room_changed(simulator, traveller)
    for rows in (Watch.objects.values_list("state"), ScheduleChange.objects.values_list("change")):
        ((value,),) = rows
        assert b"Aula" not in value.stored
        assert b"2026-03" not in value.stored
    row = Watch.objects.get()
    assert row.read_state() is not None
    Watch.objects.update(child_id=5)
    assert Watch.objects.get().read_state() is None
