"""GET /api/v2/methods: how people of one kind sign in to a school."""

from typing import Any

import pytest
from pytest_django.fixtures import Settings

from tests.conftest import Caller
from upstream.simulator.server import Simulator


def methods(school: str, kind: str = "student") -> tuple[bool, bool]:
    answer = Caller().get(f"/api/v2/methods?school={school}&kind={kind}")
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    assert (body.pop("success"), body.pop("school"), body.pop("kind")) == (True, school, kind)
    return body.pop("password"), body.pop("redirect")


@pytest.mark.parametrize(
    ("school", "password", "redirect"),
    [("bjorkdalen", True, False), ("nyvang", True, True), ("granskolan", False, True)],
)
def test_the_school_says_it_and_is_asked_once_an_hour(
    simulator: Simulator, school: str, password: bool, redirect: bool
) -> None:
    for kind in ("student", "guardian"):
        for _ in range(2):
            assert methods(school, kind) == (password, redirect)
    assert simulator.requests.count_operation("login.methods") == 2


@pytest.mark.parametrize("fault", ["404", "500", "empty", "200-html", "reset"])
def test_else_the_list_of_schools_says_it(simulator: Simulator, fault: str) -> None:
    simulator.faults.set("login.methods", fault)
    assert methods("granskolan") == (False, True)
    assert methods("nyvang") == (True, True)
    assert methods("granskolan", "guardian") == (False, True)


@pytest.mark.parametrize(("dialect", "redirect"), [("specified", False), ("observed", True)])
def test_where_nobody_says_it_the_dialect_does(
    simulator: Simulator, settings: Settings, dialect: str, redirect: bool
) -> None:
    settings.UPSTREAM_DIALECT = {"": dialect}
    simulator.faults.set("login.methods", "404")
    assert methods("bjorkdalen", "guardian") == (True, redirect)


def test_nobody_has_seen_how_staff_sign_in_there(simulator: Simulator) -> None:
    assert methods("nyvang", "staff") == (True, False)
    assert methods("granskolan", "staff") == (False, False)
    assert simulator.requests.count_operation("login.methods") == 0


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("school=nowhere&kind=student", 404, "school_unknown"),
        ("school=../x&kind=student", 404, "school_unknown"),
        ("school=nyvang", 400, "invalid_input"),
        ("school=nyvang&kind=parent", 400, "invalid_input"),
        ("kind=student", 400, "invalid_input"),
    ],
)
def test_it_wants_a_school_and_a_kind(
    simulator: Simulator, query: str, status: int, code: str
) -> None:
    answer = Caller().get(f"/api/v2/methods?{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
