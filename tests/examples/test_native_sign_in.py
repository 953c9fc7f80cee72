"""examples/python/native_sign_in.py: the whole way through a browser, against the real service."""

import sys

import pytest
from requests.sessions import Session

from tests.examples.programs import Example
from tests.school_page import sign_in_at_school
from tests.service_process import ROOT, ServiceProcess


@pytest.fixture
def example() -> Example:
    return Example(ROOT / "examples/python", lambda program: [sys.executable, f"{program}.py"])


def browse(address: str, username: str) -> str:
    """What the browser shows of the app in the end."""
    browser = Session()

    def see_other(url: str) -> str:
        answer = browser.get(url, timeout=30, allow_redirects=False)
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"]

    callback = sign_in_at_school(see_other(address), username)
    assert callback is not None
    return browser.get(see_other(callback), timeout=30).text


@pytest.mark.parametrize(
    ("kind", "username", "printed"),
    [
        ("student", "tove.gran", "Tove Gran (student) has signed in."),
        ("guardian", "moa.gran", "Moa Gran (guardian) has signed in."),
    ],
)
def test_it_signs_in_through_the_browser(
    example: Example, service: ServiceProcess, kind: str, username: str, printed: str
) -> None:
    variables = {"SERVICE": service.url, "BROWSER": "true"}
    with example.running("native_sign_in", kind, **variables) as running:
        [line] = running.lines(1)
        assert "go back to the app" in browse(line.removeprefix("Sign in here: "), username)
        assert running.lines(1) == [printed]
