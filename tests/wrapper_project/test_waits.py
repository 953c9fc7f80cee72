"""An error that a person has to wait out says how long, from the number in `Retry-After`."""

import pytest
from django.test import Client

from limits import TooManyRequests
from tests.conftest import ELSA, Caller
from tests.wrapper_project import odd_urls
from tests.wrapper_project.test_error_pages import BROWSER
from upstream.errors import CircuitOpen, UpstreamThrottled
from upstream.simulator.server import Simulator


@pytest.mark.parametrize(
    ("seconds", "english", "swedish"),
    [
        (1, "in a moment", "om en liten stund"),
        (10, "in a moment", "om en liten stund"),
        (11, "in half a minute", "om en halv minut"),
        (31, "in a minute", "om en minut"),
        (60, "in a minute", "om en minut"),
        (61, "in 2 minutes", "om 2 minuter"),
        (936, "in 16 minutes", "om 16 minuter"),
        (3540, "in 59 minutes", "om 59 minuter"),
        (3541, "in an hour", "om en timme"),
        (3601, "in 2 hours", "om 2 timmar"),
        (82800, "in 23 hours", "om 23 timmar"),
        (86399, "tomorrow at this time", "vid den här tiden i morgon"),
        (86401, "in 2 days", "om 2 dagar"),
    ],
)
def test_a_reached_limit_says_how_long_to_wait(
    seconds: int, english: str, swedish: str, odd: Client
) -> None:
    odd_urls.to_raise.append(TooManyRequests(seconds))
    for language, sentence in (
        ("en", f"Too many requests. Try again {english}."),
        ("sv", f"Det blev för många på kort tid. Försök igen {swedish}."),
    ):
        answer = odd.get("/api/raising", headers={"accept-language": language})
        assert (answer.headers["Retry-After"], answer.json()["error"]) == (str(seconds), sentence)


def test_a_page_says_it_too(odd: Client) -> None:
    odd_urls.to_raise.append(TooManyRequests(1800))
    page = odd.get("/raising", headers={"accept": BROWSER}).content.decode()
    assert "Too many requests. Try again in 30 minutes." in page


@pytest.mark.parametrize("error", [UpstreamThrottled, CircuitOpen])
def test_so_does_a_school_that_needs_a_rest(error: type[UpstreamThrottled], odd: Client) -> None:
    odd_urls.to_raise.append(error(retry_after=7))
    assert odd.get("/api/raising").json()["error"].endswith(" Try again in a moment.")
    odd_urls.to_raise.append(error(retry_after=100))
    assert odd.get("/api/raising").json()["error"].endswith(" Try again in 2 minutes.")


def test_too_many_wrong_passwords_and_a_throttled_school(
    caller: Caller, simulator: Simulator
) -> None:
    for _ in range(6):
        refused = caller.post("/api/login", ELSA | {"password": "wrong"})
    assert refused.json()["error"] == "Too many requests. Try again in 30 minutes."
    simulator.faults.set("login.password", "429", retry_after=17)
    other = caller.post("/api/login", ELSA | {"username": "bo.ek"}).json()
    assert other["error"] == (
        "The school's system is receiving too many requests. Try again in half a minute."
    )
