"""The main user journey: sign in, read the week, come back later, sign out."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
import urllib3
from pytest_django import DjangoDbBlocker

from tests.service_process import ServiceProcess, shared
from upstream.simulator.server import Simulator

HOUR = 3600
ELSA = {"username": "elsa.nordvall", "password": "elsa-demo", "school": "bjorkdalen"}


@pytest.fixture(scope="module")
def server(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    simulator_server: Simulator,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ServiceProcess]:
    folder = tmp_path_factory.mktemp("server")
    with shared(folder, simulator_server.url, django_db_blocker) as server:
        yield server


@pytest.fixture
def service(server: ServiceProcess, simulator: Simulator, transactional_db: None) -> ServiceProcess:
    """The server with an empty database: every response comes from the school's system."""
    return server


class Browser:
    """A client that keeps cookies."""

    def __init__(self, service: ServiceProcess) -> None:
        self._service = service
        self.cookies: dict[str, str] = {}

    def __call__(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        status, answer, given = self._service.request(method, path, body, cookies=self.cookies)
        self.cookies = {
            name: v for name, v in (self.cookies | given).items() if v not in ("", '""')
        }
        return status, answer


class App:
    """A native app with the token and no cookies."""

    def __init__(self, service: ServiceProcess) -> None:
        self._url = service.url
        self._http = urllib3.PoolManager(retries=False)
        self.token = ""

    def __call__(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        answer = self._http.request(method, self._url + path, json=body, headers=headers)
        assert "Set-Cookie" not in answer.headers or path in ("/api/v2/callback", "/api/logout")
        return answer.status, answer.json()


def is_a_week(answer: Any, week: int) -> bool:
    """Whether these are several lessons, each slot once, sorted, all in this week."""
    slots = [(lesson["startDate"], lesson["endDate"]) for lesson in answer["schedule"]]
    weeks = {datetime.fromisoformat(start).isocalendar()[:2] for start, _ in slots}
    return (
        answer["week"] == week
        and len(slots) > 5
        and slots == sorted(set(slots))
        and len(weeks) == 1
        and {number for _, number in weeks} == {week}
    )


def test_a_person_reads_the_week_with_cookies(
    service: ServiceProcess, simulator: Simulator
) -> None:
    browser = Browser(service)
    assert browser("GET", "/api/schedule?week=11")[0] == 401
    status, answer = browser("POST", "/api/login", ELSA)
    assert (status, answer["user"]["username"]) == (200, "elsa.nordvall")
    assert {name.removeprefix("wrapper_") for name in browser.cookies} == {
        "jsessionid", "hash", "usertype", "school", "username"
    }  # fmt: skip
    status, answer = browser("GET", "/api/schedule?week=11")
    assert status == 200
    assert is_a_week(answer, 11)
    assert answer == browser("GET", "/api/schedule?week=11")[1]

    a_later_hour(browser, simulator)

    assert browser("POST", "/api/logout")[0] == 200
    assert browser.cookies == {}
    assert browser("GET", "/api/schedule?week=11")[0] == 401


def test_an_app_reads_the_week_with_its_token(
    service: ServiceProcess, simulator: Simulator
) -> None:
    app = App(service)
    status, halves = app("POST", "/api/v2/initiate", ELSA)
    assert status == 200
    body = {"code": halves["code"], "state": halves["state"], "school": ELSA["school"]}
    status, answer = app("POST", "/api/v2/callback", body)
    assert status == 200
    app.token = answer["access_token"]
    status, answer = app("GET", "/api/schedule?week=11")
    assert status == 200
    assert is_a_week(answer, 11)

    # The service exchanges the token again by itself: an app has no web session.
    simulator.state.clock.advance(HOUR + 60)
    for path in ("/api/schedule?week=11", "/api/session"):
        assert app("GET", path)[0] == 200
    assert app("POST", "/api/refresh")[0] == 200
    assert app("GET", "/api/schedule?week=12")[0] == 200

    assert app("POST", "/api/logout")[0] == 200
    assert app("GET", "/api/schedule?week=11")[0] == 401
    assert app("POST", "/api/token")[0] == 401


def a_later_hour(ask: Callable[..., tuple[int, Any]], simulator: Simulator) -> None:
    """If the school's web session has ended, the token renews it without a password."""
    calls = simulator.requests.count_operation("login.password")
    simulator.state.clock.advance(HOUR + 60)
    status, answer = ask("GET", "/api/schedule?week=11")
    assert (status, answer["code"]) == (401, "not_signed_in")
    assert ask("POST", "/api/refresh")[0] == 200
    status, answer = ask("GET", "/api/schedule?week=11")
    assert status == 200
    assert is_a_week(answer, 11)
    assert ask("GET", "/api/session")[1]["role"] == "student"
    assert simulator.requests.count_operation("login.password") == calls


def test_two_people_at_two_schools_read_their_own_weeks(service: ServiceProcess) -> None:
    elsa, zoe = Browser(service), Browser(service)
    assert elsa("POST", "/api/login", ELSA)[0] == 200
    other = {"username": "Zoe.ÅKERMAN", "password": "zoe-demo", "school": "nyvang"}
    assert zoe("POST", "/api/login", other)[0] == 200
    assert elsa("GET", "/api/session")[1]["school"] == "bjorkdalen"
    assert zoe("GET", "/api/session")[1]["session"]["username"] == "zoe.åkerman"
    weeks = [who("GET", "/api/schedule?week=11")[1]["schedule"] for who in (elsa, zoe)]
    assert weeks[0] != weeks[1]
    assert elsa("POST", "/api/logout")[0] == 200
    assert zoe("GET", "/api/schedule?week=11")[0] == 200
