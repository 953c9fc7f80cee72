"""Login and refresh in the dialect of the real system's public clients."""

from pytest_django.fixtures import Settings

from tests.conftest import Caller
from upstream.simulator.server import Simulator


def test_a_school_may_use_the_other_dialect(
    simulator: Simulator, caller: Caller, settings: Settings
) -> None:
    settings.UPSTREAM_DIALECT = {"": "specified", "nyvang": "observed"}

    user = caller.sign_in("zoe.åkerman", "nyvang").json()["user"]

    assert (user["username"], user["userType"]) == ("zoe.åkerman", "student")
    assert caller.get("/api/schedule?week=11").json()["schedule"]
    assert simulator.requests.count("/nyvang/eva-apps/auth/login/student") == 1
    Caller().sign_in("elsa.nordvall", "bjorkdalen")
    assert simulator.requests.count("/bjorkdalen/eva-apps") == 0


def test_its_tokens_are_refreshed_with_the_refresh_token(
    simulator: Simulator, caller: Caller, settings: Settings
) -> None:
    settings.UPSTREAM_DIALECT = {"": "observed"}
    first = caller.sign_in().json()["token"]

    answer = caller.post("/api/refresh")

    assert answer.status_code == 200
    assert answer.json()["access_token"] != first
    assert caller.get("/api/session").status_code == 200
