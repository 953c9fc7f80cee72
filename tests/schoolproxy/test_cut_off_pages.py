"""Pages of which only the beginning came: the school's system failed in the middle of one."""

import pytest

from tests.conftest import Caller
from tests.schoolproxy.conftest import Clock
from tests.schoolproxy.routes import (
    ARTICLE,
    ARTICLES,
    CLASS,
    FILES,
    INBOX,
    MESSAGE,
    NEWS,
    SCHEDULE,
    STAFF,
    Route,
)
from upstream.simulator.login import LOGIN_FORM
from upstream.simulator.server import Simulator

PAGES = [NEWS, ARTICLES, ARTICLE, INBOX, MESSAGE, STAFF, FILES, CLASS]
each_page = pytest.mark.parametrize("route", PAGES, ids=lambda route: route.path)
HTML = {"Content-Type": "text/html; charset=ISO-8859-1"}


@each_page
def test_half_of_a_page_is_502_and_not_cached(
    route: Route, elsa: Caller, simulator: Simulator
) -> None:
    simulator.faults.set(route.operation, "truncated")
    answer = elsa.get(route.of(simulator))
    assert (answer.status_code, answer.json()["code"]) == (502, "upstream_invalid")
    simulator.faults.clear()
    assert "stale" not in elsa.get(route.of(simulator)).json()


@each_page
def test_a_whole_page_from_before_is_served_as_stale(
    route: Route, elsa: Caller, simulator: Simulator, clock: Clock
) -> None:
    good = elsa.get(route.of(simulator)).json()
    simulator.faults.set(route.operation, "truncated")
    clock(61)
    if route is STAFF:
        clock(3601)  # it is fresh for an hour, after which the web session has ended, too
        elsa.sign_in()
    stale = elsa.get(route.of(simulator)).json()
    assert stale.pop("stale") is True
    assert stale.pop("staleSince")
    assert stale == good


def test_half_of_the_lunch_page_is_502(elsa: Caller, simulator: Simulator) -> None:
    simulator.faults.set("lunch", "404")
    assert elsa.get("/api/lunch?week=11").status_code == 200
    simulator.faults.set("lunch.page", "truncated")
    answer = elsa.get("/api/lunch?week=12")
    assert (answer.status_code, answer.json()["code"]) == (502, "upstream_invalid")


@pytest.mark.parametrize("route", [NEWS, SCHEDULE], ids=lambda route: route.path)
@pytest.mark.parametrize("end", ["<form", '<input type="submit"', "</body>"])
def test_half_of_the_login_page_ends_no_session(
    route: Route, end: str, elsa: Caller, simulator: Simulator
) -> None:
    body = LOGIN_FORM[: LOGIN_FORM.index(end)]
    for operation in (route.operation, "session"):
        simulator.faults.set(operation, "answer", body=body, headers=HTML)
    answer = elsa.get(route.path)
    assert (answer.status_code, answer.json()["code"]) == (502, "upstream_invalid")
    simulator.faults.clear()
    assert elsa.get(route.path).status_code == 200
