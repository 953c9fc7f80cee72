"""A visitor who signs in through the school's own page."""

from urllib.parse import urlencode

from tests.accounts.page_login import CHALLENGE, VERIFIER
from tests.journeys.visitor import Visitor
from tests.school_page import sign_in_at_school
from upstream.simulator.server import Simulator


def sign_in_at_the_school(visitor: Visitor, simulator: Simulator) -> None:
    """In a browser, as an app, and what goes wrong on the way back."""

    def walk(**app: str) -> str:
        query = urlencode({"school": "granskolan", "kind": "student", **app})
        page = visitor.start_at_school(f"/api/v2/authorize?{query}")
        callback = sign_in_at_school(page, "Canary.Kvx9")
        assert callback is not None
        return callback.partition("/api/")[2]

    for value in ("404", "500", "200-html", "truncated"):
        simulator.faults.set("login.token", value, times=1)
        assert visitor.ask("GET", f"/api/{walk()}") == 303
        simulator.faults.clear()
    assert visitor.ask("GET", f"/api/{walk()}&state=Kstate7q") == 303
    callback = f"/api/{walk()}"
    assert visitor.ask("GET", callback) == 303
    assert visitor.ask("GET", "/api/session") == 200
    assert visitor.ask("POST", "/api/refresh") == 200
    assert visitor.ask("GET", callback) == 303
    app = {"redirectUri": "http://127.0.0.1:1/back", "state": "app", "codeChallenge": CHALLENGE}
    assert visitor.ask("GET", f"/api/{walk(**app)}") == 303
    ticket = {"ticket": visitor.keep_ticket(), "codeVerifier": VERIFIER}
    assert visitor.ask("POST", "/api/v2/callback", ticket | {"codeVerifier": "x" * 43}) == 400
    assert visitor.ask("POST", "/api/v2/callback", ticket) == 200
    assert visitor.ask("POST", "/api/v2/callback", ticket) == 400
