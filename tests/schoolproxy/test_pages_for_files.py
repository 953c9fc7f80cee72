"""What the school sends with 200 in place of a file: its login page, a refusal, nothing."""

import pytest

from tests.conftest import Caller
from tests.schoolproxy.family import outcome
from tests.schoolproxy.test_files import (
    PDF,
    REFUSAL,
    body_of,
    fail,
    held_slots,
    other_files,
    short_waits,
)
from upstream.simulator.login import LOGIN_FORM
from upstream.simulator.server import Simulator

__all__ = ["short_waits"]
HTML = {"Content-Type": "text/html; charset=ISO-8859-1"}
PAGES = [LOGIN_FORM.encode(), LOGIN_FORM.replace("</html>", "").encode(), REFUSAL]


@pytest.mark.parametrize("body", PAGES, ids=["login", "half of it", "refusal"])
def test_a_page_is_not_the_file(elsa: Caller, simulator: Simulator, body: bytes) -> None:
    fail(simulator, "file.bytes", body, **HTML)
    assert outcome(elsa.get(PDF)) == (404, "not_found")
    assert elsa.get("/api/session").status_code == 200
    assert held_slots() == 0


def test_the_login_page_for_a_dead_session_is_401(elsa: Caller, simulator: Simulator) -> None:
    elsa.get(PDF).close()  # the session is checked, and the article cached
    fail(simulator, "file.bytes", LOGIN_FORM.encode(), **HTML)
    simulator.faults.set("session", "401")
    assert outcome(elsa.get(PDF)) == (401, "not_signed_in")


@pytest.mark.parametrize("operation", ["file", "file.bytes"])
def test_nothing_is_not_the_file(elsa: Caller, simulator: Simulator, operation: str) -> None:
    fail(simulator, operation, b"")
    assert outcome(elsa.get(PDF)) == (404, "not_found")
    simulator.faults.set(operation, "empty", times=1)
    assert body_of(elsa.get(PDF)).startswith(b"%PDF")


def test_half_of_the_login_page_ends_no_session(elsa: Caller, simulator: Simulator) -> None:
    fail(simulator, "file", LOGIN_FORM.replace("</html>", "").encode(), **HTML)
    assert outcome(elsa.get(PDF)) == (404, "not_found")
    simulator.faults.clear()
    assert elsa.get(PDF).status_code == 200


@pytest.mark.parametrize("body", PAGES, ids=["login", "half of it", "refusal"])
def test_a_file_that_is_called_a_page_may_be_one(
    elsa: Caller, simulator: Simulator, body: bytes
) -> None:
    path = other_files(elsa)["Anmälan.html"]
    fail(simulator, "file.bytes", body, **HTML)
    assert body_of(elsa.get(path)) == body
