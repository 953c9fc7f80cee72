"""/api/sessions: listing and ending logins."""

import time
from datetime import timedelta

import pytest
from django.db.models import F

from accounts.limits import MAX_SESSIONS
from accounts.models import ServiceSession
from tests.accounts.conftest import live, unrecorded
from tests.conftest import Caller, signed_in
from upstream.simulator.server import Simulator

FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0"


def current(caller: Caller) -> str:
    rows = caller.get("/api/sessions").json()["sessions"]
    (own,) = [row["id"] for row in rows if row["current"]]
    return str(own)


def test_it_lists_the_logins_of_the_account(elsa: Caller) -> None:
    signed_in(headers={"user-agent": FIREFOX})
    signed_in("bo.ek")
    body = elsa.get("/api/sessions").json()
    assert body["success"] is True
    assert len(body["sessions"]) == 2
    for row in body["sessions"]:
        assert sorted(row) == ["createdAt", "current", "device", "id", "lastUsedAt"]
        assert abs(row["createdAt"] - time.time() * 1000) < 60_000
        assert abs(row["lastUsedAt"] - time.time() * 1000) < 60_000
    assert {row["device"] for row in body["sessions"]} == {"", "Firefox on Android"}
    assert [row["current"] for row in body["sessions"]].count(True) == 1
    swedish = elsa.get("/api/sessions", **{"accept-language": "sv"}).json()["sessions"]
    assert {row["device"] for row in swedish} == {"", "Firefox på Android"}


def test_one_can_be_ended_upstream_too(elsa: Caller, simulator: Simulator) -> None:
    phone = signed_in()
    assert phone.get("/api/session").status_code == 200
    assert live(simulator) == 2
    path = f"/api/sessions/{current(phone)}"
    answer = elsa.delete(path)
    assert (answer.status_code, answer.json()) == (200, {"success": True})
    assert elsa.delete(path).status_code == 404
    assert phone.get("/api/session").status_code == 401
    assert live(simulator) == 1
    assert elsa.get("/api/session").status_code == 200
    assert elsa.delete(f"/api/sessions/{current(elsa)}").status_code == 200
    assert elsa.get("/api/session").status_code == 401


@pytest.mark.parametrize("rotates", [True, False])
def test_the_cookies_that_a_refresh_replaced_end_upstream_too(
    elsa: Caller, simulator: Simulator, rotates: bool
) -> None:
    simulator.state.settings.refresh_tokens = rotates
    phone = signed_in()
    assert phone.post("/api/refresh").status_code == 200
    assert live(simulator) == 3
    assert elsa.delete(f"/api/sessions/{current(phone)}").status_code == 200
    assert live(simulator) == 1


def test_the_session_of_another_is_404_with_the_bytes_of_an_unknown_one(elsa: Caller) -> None:
    bo = signed_in("bo.ek")
    foreign = elsa.delete(f"/api/sessions/{current(bo)}")
    unknown = elsa.delete("/api/sessions/nothing-like-it")
    assert foreign.status_code == unknown.status_code == 404
    assert foreign.content == unknown.content
    assert bo.get("/api/session").status_code == 200


@pytest.mark.parametrize("path", ["%00", "..", "%ff", "a" * 3000, "é"])
def test_an_odd_id_is_404(elsa: Caller, path: str) -> None:
    assert elsa.delete(f"/api/sessions/{path}").status_code in (400, 404)


def test_all_others_can_be_ended_at_once(elsa: Caller) -> None:
    others = [signed_in(), signed_in()]
    bo = signed_in("bo.ek")
    assert elsa.delete("/api/sessions").json() == {"success": True}
    assert [other.get("/api/session").status_code for other in others] == [401, 401]
    assert elsa.get("/api/session").status_code == 200
    assert bo.get("/api/session").status_code == 200
    assert ServiceSession.objects.filter(account__username="elsa.nordvall").count() == 1


def test_a_session_without_a_record_is_ended_with_the_others(
    elsa: Caller, simulator: Simulator
) -> None:
    others = [unrecorded(simulator, "elsa.nordvall", "bjorkdalen") for _ in range(2)]
    bo = unrecorded(simulator, "bo.ek", "bjorkdalen")
    for caller in (*others, *others, bo):
        assert caller.get("/api/session").status_code == 200
    assert live(simulator) == 3
    assert elsa.delete("/api/sessions").json() == {"success": True}
    assert [other.get("/api/session").status_code for other in others] == [401, 401]
    assert live(simulator) == 1
    for caller in (elsa, bo):
        assert caller.get("/api/session").status_code == 200


def test_one_without_a_record_can_end_all_others(elsa: Caller, simulator: Simulator) -> None:
    own, other = [unrecorded(simulator, "elsa.nordvall", "bjorkdalen") for _ in range(2)]
    for caller in (own, other):
        assert caller.get("/api/session").status_code == 200
    assert own.delete("/api/sessions").status_code == 200
    assert [caller.get("/api/session").status_code for caller in (elsa, other)] == [401, 401]
    assert own.get("/api/session").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_the_login_beyond_fifty_ends_the_oldest(elsa: Caller, simulator: Simulator) -> None:
    second = signed_in()
    assert second.get("/api/session").status_code == 200
    for _ in range(48):
        Caller().sign_in()
    assert elsa.get("/api/session").status_code == 200
    Caller().sign_in()
    assert ServiceSession.objects.count() == 50
    assert elsa.get("/api/session").status_code == 401
    assert second.get("/api/session").status_code == 200
    assert live(simulator) == 50


def test_the_login_after_fifty_ends_the_oldest(elsa: Caller) -> None:
    oldest = ServiceSession.objects.get()
    ServiceSession.objects.filter(pk=oldest.pk).update(created_at=F("created_at") - timedelta(1))
    ServiceSession.objects.bulk_create(
        ServiceSession(
            account=oldest.account,
            access_token="t",
            token_expires_at="0",
            school=oldest.school,
            upstream_user_id=oldest.upstream_user_id,
            token_hash=f"token {number}",
            pair_hash=f"pair {number}",
            last_used_at=oldest.last_used_at,
        )
        for number in range(MAX_SESSIONS - 1)
    )
    assert len(elsa.get("/api/sessions").json()["sessions"]) == MAX_SESSIONS == 50
    phone = Caller()
    phone.sign_in()
    assert elsa.get("/api/session").status_code == 401
    assert len(phone.get("/api/sessions").json()["sessions"]) == MAX_SESSIONS
