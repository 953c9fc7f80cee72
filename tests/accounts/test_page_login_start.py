"""Beginning a sign-in through the school's own page: where it returns to, and who may not begin."""

import pytest
from pytest_django.fixtures import Settings

from tests.accounts.page_login import SCHOOL, authorize, begin, visit
from tests.conftest import Caller
from upstream.simulator.server import Simulator

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example", "/\\evil.example", "\\\\evil.example", "/%2f%2fevil.example",
        "/%2Fevil.example", "/%5cevil.example", "/%255cevil.example", "https://evil.example/",
        "evil", "javascript:alert(1)", "/app/#x", "/app/\r\nSet-Cookie: a=b", "/app/%0d%0ax",
        "/app/\x00", "/app/\u202e", "/a//evil", " /app/", "/" + "a" * 3000,
    ],
)  # fmt: skip
def test_it_returns_to_no_page_of_anybody_else(simulator: Simulator, path: str) -> None:
    answer = authorize(Caller(), **{"return": path})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    assert "return" in answer.json()["fields"]
    assert not answer.cookies


@pytest.mark.parametrize("path", ["", "/", "/app/", "/app/notes?q=a%20b&x=%C3%A5", "/app/å"])
def test_it_returns_to_paths_of_its_own(simulator: Simulator, path: str) -> None:
    assert authorize(Caller(), **{"return": path}).status_code == 303


@pytest.mark.parametrize(
    ("school", "kind", "status", "code"),
    [
        (SCHOOL, "staff", 400, "method_not_offered"),
        ("bjorkdalen", "student", 400, "method_not_offered"),
        ("nowhere", "student", 404, "school_unknown"),
        (SCHOOL, "teacher", 400, "invalid_input"),
        ("", "student", 400, "invalid_input"),
    ],
)
def test_what_a_school_does_not_offer_cannot_begin(
    simulator: Simulator, school: str, kind: str, status: int, code: str
) -> None:
    answer = authorize(Caller(), kind, school)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not answer.cookies


def test_starts_are_limited_and_given_back(simulator: Simulator, settings: Settings) -> None:
    settings.LIMITS = {"page_starts": "2/300"}
    for _ in range(3):
        assert visit().finish()["Location"] == "/app/"
    for _ in range(2):
        begin(Caller())
    assert authorize(Caller()).status_code == 429
