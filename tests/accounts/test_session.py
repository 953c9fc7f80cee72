"""GET /api/session and POST /api/token."""

from datetime import UTC, datetime

from pytest_django import DjangoAssertNumQueries

from accounts.models import ServiceSession
from tests.conftest import Caller
from upstream.simulator.server import Simulator


def test_it_answers_as_the_contract_says(elsa: Caller) -> None:
    answer = elsa.get("/api/session")
    assert answer.headers["Cache-Control"] == "no-store"
    assert {"Cookie", "Authorization"} <= set(answer.headers["Vary"].split(", "))
    body = answer.json()
    ends = datetime.fromisoformat(body.pop("expiresAt"))
    assert ends.tzinfo == UTC
    assert 2_591_900 < (ends - datetime.now(UTC)).total_seconds() <= 2_592_000
    assert body == {
        "success": True,
        "userId": 730214,
        "name": "Elsa Nordvall",
        "school": "bjorkdalen",
        "role": "student",
        "sessionId": ServiceSession.objects.get().pk,
        "session": {
            "user": {
                "id": 730214,
                "userName": "Elsa.Nordvall",
                "firstName": "Elsa",
                "lastName": "Nordvall",
                "email": "elsa.nordvall@bjorkdalen.example",
            },
            "organization": {"id": 41, "name": "Björkdalsskolan"},
            "userType": {"id": 1, "name": "student"},
            "school": "bjorkdalen",
            "username": "elsa.nordvall",
        },
    }


def test_a_bearer_caller_gets_the_same(caller: Caller) -> None:
    token = caller.sign_in().json()["token"]
    native = Caller().get("/api/session", Authorization=f"Bearer {token}")
    assert native.status_code == 200
    assert native.json() == caller.get("/api/session").json()
    assert not native.cookies


def test_a_cached_session_answers_without_a_query(
    elsa: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = elsa.get("/api/session").json()
    with django_assert_num_queries(0):
        assert elsa.get("/api/session").json() == first


def test_without_a_session_it_is_401(caller: Caller, simulator: Simulator) -> None:
    for path in ("/api/session", "/api/sessions", "/api/schedule"):
        answer = caller.get(path)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert len(simulator.requests) == 0


def test_it_answers_with_the_token_of_the_session(caller: Caller) -> None:
    token = caller.sign_in().json()["token"]
    body = caller.post("/api/token").json()
    assert 2_591_900 < body.pop("expires_in") <= 2_592_000
    assert body == {"success": True, "access_token": token, "token_type": "Bearer"}
    bearer = {"Authorization": f"Bearer {token}"}
    assert Caller().post("/api/token", **bearer).json()["access_token"] == token


def test_an_expired_token_is_not_returned(elsa: Caller) -> None:
    record = ServiceSession.objects.get()
    record.token_expires_at = "2020-01-01T00:00:00+00:00"
    record.save()
    assert elsa.post("/api/token").status_code == 401
