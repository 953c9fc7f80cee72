"""Browsers and apps that sign in through the simulated school's own page."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from tests.conftest import Caller
from tests.school_page import callback_values, sign_in_at_school

SCHOOL = "granskolan"
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
APP = "http://127.0.0.1/back"


def authorize(browser: Caller, kind: str = "student", school: str = SCHOOL, **more: str) -> Any:
    query = urlencode({"school": school, "kind": kind, **more})
    return browser.get(f"/api/v2/authorize?{query}")


def begin(browser: Caller, kind: str = "student", school: str = SCHOOL, **more: str) -> str:
    """The address of the school's own page."""
    answer = authorize(browser, kind, school, **more)
    assert answer.status_code == 303, answer.content
    return str(answer["Location"])


def come_back(browser: Caller, **values: str) -> Any:
    return browser.get(f"/api/v2/callback?{urlencode(values)}")


@dataclass
class Visit:
    """A sign-in that has got as far as its callback, which nobody has opened yet."""

    browser: Caller
    values: dict[str, str]

    def finish(self, **changes: str) -> Any:
        return come_back(self.browser, **(self.values | changes))


def visit(
    username: str = "tove.gran",
    kind: str = "student",
    school: str = SCHOOL,
    password: str = "",
    **more: str,
) -> Visit:
    browser = Caller()
    page = begin(browser, kind, school, **more)
    return Visit(browser, callback_values(sign_in_at_school(page, username, password=password)))


def signed_in_through_page(username: str = "tove.gran", kind: str = "student") -> Caller:
    """A browser whose person has signed in through the school's own page."""
    done = visit(username, kind)
    answer = done.finish()
    assert (answer.status_code, answer["Location"]) == (303, "/app/"), answer["Location"]
    return done.browser


def app_start(**more: str) -> dict[str, str]:
    return {
        "redirectUri": "http://127.0.0.1:43117/back",
        "state": "app state/1",
        "codeChallenge": CHALLENGE,
    } | more
