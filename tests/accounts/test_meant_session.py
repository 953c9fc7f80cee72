"""`X-Session`: a request says for which login it is meant, and no other one answers it. Two pages
of one browser share their cookies, which may have become somebody else's meanwhile."""

import pytest

from accounts.models import ServiceSession
from tests.conftest import Caller
from tests.social_actions import befriend, dm_of


def session_of(caller: Caller) -> dict[str, str]:
    """The header that means this caller's login."""
    return {"X-Session": caller.get("/api/session").json()["sessionId"]}


def test_a_request_that_is_meant_for_the_callers_login_is_answered(elsa: Caller) -> None:
    meant = session_of(elsa)
    assert meant["X-Session"] == ServiceSession.objects.get().pk
    assert elsa.get("/api/profile", **meant).status_code == 200
    assert elsa.post("/api/refresh").status_code == 200  # which keeps the login
    assert session_of(elsa) == meant
    assert elsa.get("/api/profile", **meant).status_code == 200


@pytest.mark.parametrize("path", ["/api/session", "/api/profile", "/api/schedule", "/api/friends"])
def test_what_is_meant_for_another_login_is_not_read(elsa: Caller, bo: Caller, path: str) -> None:
    assert elsa.get(path).status_code == 200  # also what is cached for her
    answer = elsa.get(path, **session_of(bo))
    assert answer.status_code == 401
    assert answer.json()["code"] == "other_session"
    assert "WWW-Authenticate" in answer
    assert answer.json().keys() == {"success", "error", "message", "code"}


def test_nothing_is_written_in_the_name_of_somebody_else(elsa: Caller, bo: Caller) -> None:
    befriend(elsa, bo, ("elsa.nordvall", "bo.ek"))
    dm = dm_of(elsa, "bo.ek")
    bos = session_of(bo)
    path = f"/api/conversations/{dm}"
    assert elsa.post(f"{path}/messages", {"content": "Hej"}, **bos).status_code == 401
    assert elsa.put("/api/profile", {"displayName": "Bo"}, **bos).status_code == 401
    assert elsa.delete("/api/account", {"password": "elsa-demo"}, **bos).status_code == 401
    assert elsa.get(path).json()["messages"] == []
    assert elsa.get("/api/profile").json()["profile"]["displayName"] == "Elsa Nordvall"


def test_another_login_of_the_same_person_is_another_login(elsa: Caller) -> None:
    first = session_of(elsa)
    again = Caller()
    again.sign_in()
    assert again.get("/api/profile", **first).status_code == 401
    assert elsa.get("/api/profile", **first).status_code == 200


def test_a_logout_ends_the_login_that_it_is_meant_for(elsa: Caller) -> None:
    header = session_of(elsa)
    answer = elsa.post("/api/logout", **header)
    assert answer.status_code == 200
    assert len(answer.cookies) == 5
    assert not ServiceSession.objects.exists()
    assert elsa.get("/api/session").status_code == 401
    assert elsa.post("/api/logout", **header).status_code == 200


def test_a_late_logout_leaves_alone_who_has_signed_in_meanwhile(elsa: Caller, bo: Caller) -> None:
    answer = bo.post("/api/logout", **session_of(elsa))
    assert answer.status_code == 200
    assert not answer.cookies
    assert bo.get("/api/session").status_code == 200
    assert elsa.get("/api/session").status_code == 401
    assert elsa.post("/api/refresh").status_code == 401
    assert ServiceSession.objects.get().account.username == "bo.ek"


def test_a_late_logout_needs_no_cookies(elsa: Caller) -> None:
    answer = Caller().post("/api/logout", **session_of(elsa))
    assert answer.status_code == 200
    assert elsa.get("/api/session").status_code == 401


@pytest.mark.parametrize("session_id", ["unknown", "x" * 9_000, "å", "' OR 1=1", "%00"])
def test_a_logout_for_an_unknown_login_ends_none(elsa: Caller, session_id: str) -> None:
    assert elsa.post("/api/logout", **{"X-Session": session_id}).status_code == 200
    assert elsa.get("/api/session").status_code == 200
    assert elsa.get("/api/profile", **{"X-Session": session_id}).status_code == 401
