"""The role of a person changes at the school: from the next validation on, it is the new one
everywhere."""

from collections.abc import Callable

import pytest
from pytest_django.fixtures import Settings

import store
from accounts.models import ServiceSession
from tests.conftest import Caller, signed_in
from upstream.simulator.people import Role
from upstream.simulator.server import Simulator

SCHOOL = "bjorkdalen"


@pytest.fixture(autouse=True)
def every_request_is_validated(settings: Settings) -> None:
    settings.SESSION_CHECK_SECONDS = 0


def change_role(simulator: Simulator, username: str, role: Role) -> None:
    """An administrator of the school gives somebody another role."""
    state = simulator.state
    state.change_role(state.person(SCHOOL, username), role)


def roles_shown(caller: Caller) -> set[str]:
    """The role in one's session, in one's profile, and as another person reads it."""
    session = caller.get("/api/session").json()
    profile = caller.get("/api/profile").json()["profile"]
    seen = signed_in("alva.lind").get(f"/api/profile/{profile['username']}").json()["profile"]
    return {
        session["role"],
        session["session"]["userType"]["name"],
        profile["userType"],
        seen["userType"],
    }


def refresh(caller: Caller) -> None:
    assert caller.post("/api/refresh").status_code == 200


def sign_in_again(caller: Caller) -> None:
    caller.sign_in("bo.ek")


def change_profile(caller: Caller) -> None:
    assert caller.put("/api/profile", {"bio": "Hej"}).status_code == 200


def look(caller: Caller) -> None:
    assert caller.get("/api/presence?users=bo.ek").status_code == 200


@pytest.mark.parametrize("meet_upstream", [look, refresh, sign_in_again, change_profile])
@pytest.mark.parametrize("role", ["teacher", "guardian"])
def test_a_new_role_is_the_same_everywhere(
    bo: Caller, simulator: Simulator, role: Role, meet_upstream: Callable[[Caller], None]
) -> None:
    assert roles_shown(bo) == {"student"}
    change_role(simulator, "bo.ek", role)
    meet_upstream(bo)
    assert roles_shown(bo) == {role}


def test_a_native_app_gets_the_new_role(simulator: Simulator, db: None) -> None:
    app = Caller()
    app.http.defaults["HTTP_AUTHORIZATION"] = f"Bearer {Caller().sign_in('bo.ek').json()['token']}"
    assert roles_shown(app) == {"student"}
    change_role(simulator, "bo.ek", "teacher")
    assert roles_shown(app) == {"teacher"}


def test_cookies_without_a_record_get_the_new_role(bo: Caller, simulator: Simulator) -> None:
    ServiceSession.objects.all().delete()
    change_role(simulator, "bo.ek", "teacher")
    assert roles_shown(bo) == {"teacher"}
    assert bo.cookies["usertype"] == "2"


def test_the_answer_rewrites_the_cookie_with_the_type(bo: Caller, simulator: Simulator) -> None:
    assert bo.cookies["usertype"] == "1"
    change_role(simulator, "bo.ek", "teacher")
    answer = bo.get("/api/session")
    assert answer.status_code == 200
    written = answer.cookies["wrapper_usertype"]
    assert (written.value, written["httponly"], written["samesite"]) == ("2", True, "Lax")
    before = 30 * 24 * 3600
    assert before - 60 < written["max-age"] <= before
    again = bo.get("/api/session")
    assert (again.status_code, len(again.cookies)) == (200, 0)


def test_a_device_that_was_away_goes_on_with_its_old_cookie(
    bo: Caller, simulator: Simulator
) -> None:
    """Another device has met the new role first, and nothing is cached of this one."""
    other = signed_in("bo.ek")
    change_role(simulator, "bo.ek", "teacher")
    assert other.get("/api/session").status_code == 200
    store.clear()
    assert bo.cookies["usertype"] == "1"
    assert bo.get("/api/session").json()["role"] == "teacher"
    assert bo.cookies["usertype"] == "2"


def test_a_cookie_with_a_third_role_is_401(bo: Caller, simulator: Simulator) -> None:
    change_role(simulator, "bo.ek", "teacher")
    bo.set_cookie("usertype", "3")
    assert bo.get("/api/session").status_code == 401


def test_signing_out_with_an_old_cookie_leaves_no_cookies(bo: Caller, simulator: Simulator) -> None:
    change_role(simulator, "bo.ek", "teacher")
    answer = bo.post("/api/logout")
    assert answer.status_code == 200
    assert set(bo.cookies.values()) == {""}


def test_erasing_the_account_with_an_old_cookie_leaves_no_cookies(
    bo: Caller, simulator: Simulator
) -> None:
    change_role(simulator, "bo.ek", "teacher")
    assert bo.delete("/api/account", {"password": "bo-demo"}).status_code == 200
    assert bo.get("/api/session").status_code == 401
