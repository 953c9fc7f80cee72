"""Who may do what: every URL name times every kind of caller, and the status that follows.

A name of the URLconf that is missing here fails. In a path, `{elsa_session}` is the id of
Elsa's own login; 412 begins the numbers of her class. Columns: nobody, Elsa (the owner), Zoe
of another school, Elsa suspended.
"""

from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from accounts.models import Account
from accounts.services.suspension import suspend_account
from tests.conftest import Caller
from tests.contract.routes import every_route


@dataclass(frozen=True)
class Row:
    """One request and the status for each caller."""

    method: str
    path: str
    nobody: int
    elsa: int
    zoe: int
    suspended: int
    body: dict[str, Any] | None = None


def public(method: str, path: str, status: int = 200, body: dict[str, Any] | None = None) -> Row:
    """The same for everyone, and no session is looked at."""
    return Row(method, path, status, status, status, status, body)


def own(method: str, path: str, status: int = 200) -> Row:
    """Everyone's own thing: a session is needed, and suspension shuts it."""
    return Row(method, path, 401, status, status, 403)


MATRIX: dict[str, list[Row]] = {
    "home": [public("GET", "/")],
    "healthz": [public("GET", "/healthz")],
    "readyz": [public("GET", "/readyz")],
    "schema": [public("GET", "/api/schema")],
    "docs": [public("GET", "/api/docs")],
    "version": [public("GET", "/api/version")],
    "stats": [public("GET", "/api/stats")],
    "schools": [public("GET", "/api/schools")],
    "login": [public("POST", "/api/login", 400, {})],
    "v2-initiate": [public("POST", "/api/v2/initiate", 400, {})],
    "v2-callback": [public("POST", "/api/v2/callback", 400, {})],
    "logout": [public("POST", "/api/logout")],
    "v2-token-refresh": [own("POST", "/api/v2/token-refresh")],
    "token": [own("POST", "/api/token")],
    "refresh": [own("POST", "/api/refresh")],
    "session": [own("GET", "/api/session")],
    "sessions": [own("GET", "/api/sessions"), own("DELETE", "/api/sessions")],
    "sessions-entry": [Row("DELETE", "/api/sessions/{elsa_session}", 401, 200, 404, 403)],
    "schedule": [own("GET", "/api/schedule?week=11")],
    "lunch": [own("GET", "/api/lunch?week=11")],
    "news": [own("GET", "/api/news")],
    "subjects": [own("GET", "/api/subjects")],
    "subject": [Row("GET", "/api/subjects/41204", 401, 200, 404, 403)],
    "assignments-week": [own("GET", "/api/assignments/week?week=11&year=2026")],
    "assignment": [
        Row("GET", "/api/assignment/41205830", 401, 200, 404, 403),
        Row("GET", "/api/assignment/412007?type=planning", 401, 200, 404, 403),
    ],
    "class": [own("GET", "/api/people/class")],
    "schedule-calendar": [own("GET", "/api/schedule.ics?week=11")],
    "schedule-feed": [
        own("GET", "/api/schedule/feed"),
        own("POST", "/api/schedule/feed", 201),
        own("DELETE", "/api/schedule/feed"),
    ],
    "feed": [public("GET", "/feeds/nobody.ics", 404)],
}
ROWS = [(name, row) for name, rows in MATRIX.items() for row in rows]


def test_every_url_name_is_in_the_matrix() -> None:
    assert {route.name for route in every_route()} == set(MATRIX)


def test_every_method_of_every_route_is_in_the_matrix() -> None:
    asked = {(name, row.method) for name, row in ROWS}
    taken = {
        (route.name, method)
        for route in every_route()
        for method in route.methods - {"HEAD", "OPTIONS"}
    }
    assert taken == asked


def _ask(caller: Caller, row: Row, elsa_session: str) -> int:
    status: int = caller.http.generic(
        row.method,
        row.path.format(elsa_session=elsa_session),
        b"" if row.body is None else orjson.dumps(row.body),
        content_type="application/json",
    ).status_code
    return status


@pytest.mark.parametrize("who", ["nobody", "elsa", "zoe", "suspended"])
@pytest.mark.parametrize(
    "row", [row for _, row in ROWS], ids=[f"{name}-{row.method.lower()}" for name, row in ROWS]
)
def test_each_caller_gets_the_status_of_the_matrix(row: Row, who: str, caller: Caller) -> None:
    elsa = caller
    elsa.sign_in()
    session = elsa.get("/api/sessions").json()["sessions"][0]["id"]
    callers = {"nobody": Caller(), "elsa": elsa, "zoe": Caller(), "suspended": elsa}
    if who == "zoe":
        callers["zoe"].sign_in("zoe.åkerman", "nyvang")
    if who == "suspended":
        suspend_account(Account.objects.get().pk)
    assert _ask(callers[who], row, session) == getattr(row, who)
