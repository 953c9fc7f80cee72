"""The service with the web app on the database of the test, and browsers."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.test import TransactionTestCase
from playwright.sync_api import Browser, expect
from pytest_django import DjangoDbBlocker

from tests import committed_rows
from tests.browser.conftest import axe, browser, chromium, headless_shell, playwright
from tests.conftest import Caller, signed_in
from tests.service_process import ServiceProcess, running
from tests.social_actions import befriend, dm_of, say
from tests.webapp.people import App, NewApp, make_app
from upstream.simulator.server import Simulator

# Fixtures that the tests use.
__all__ = ["axe", "browser", "chromium", "headless_shell", "playwright"]

# The pages ask for much at once, on two cores that run other tests too.
expect.set_options(timeout=15_000)


@pytest.fixture(scope="package")
def server(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    simulator_server: Simulator,
    spare_redis: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ServiceProcess]:
    """One for all these tests, because its start takes longer than many of them. It asks the school
    each time, so that a test sees what the school says now."""
    with running(
        tmp_path_factory.mktemp("server"),
        simulator_server.url,
        kind="sockets",
        REDIS_URL=spare_redis,
        SESSION_CHECK_SECONDS="0",
        SCHOOL_CACHE_SECONDS="1",
        WEB_THREADS="32",
        LOG_LEVEL="WARNING",
        DJANGO_ALLOW_ASYNC_UNSAFE="",
    ) as server:
        yield server
    with django_db_blocker.unblock():  # it may have counted something after the last test
        committed_rows.empty_after(TransactionTestCase())


@pytest.fixture
def service(
    server: ServiceProcess, simulator: Simulator, transactional_db: None, spare_redis: str
) -> ServiceProcess:
    """The server with an empty database and an empty Redis."""
    with redis.Redis.from_url(spare_redis) as client:
        client.flushdb()
    return server


@pytest.fixture
def new_app(
    service: ServiceProcess, browser: Browser, request: pytest.FixtureRequest
) -> Iterator[NewApp]:
    """Makes apps, each with a browser profile of its own, in which somebody may have signed in;
    none may have a problem. Tests marked `service_worker` have that of the app."""
    apps: list[App] = []
    service_worker = request.node.get_closest_marker("service_worker") is not None

    def new(username: str = "", **options: Any) -> App:
        app = make_app(browser, service, service_worker=service_worker, **options)
        apps.append(app)
        if username:
            app.enter(username)
        return app

    yield new
    found = [problem for app in apps for problem in app.problems]
    for app in apps:
        app.context.close()
    assert found == []


@pytest.fixture
def app(new_app: NewApp) -> App:
    """Of Elsa, who has signed in, with no page open yet."""
    return new_app("elsa.nordvall")


@pytest.fixture
def friends(simulator: Simulator, transactional_db: None) -> tuple[Caller, Caller]:
    """Elsa and Bo, who are friends, as clients of the API."""
    elsa, bo = signed_in(), signed_in("bo.ek")
    befriend(elsa, bo, ("elsa.nordvall", "bo.ek"))
    return elsa, bo


@pytest.fixture
def dm(friends: tuple[Caller, Caller]) -> str:
    """The id of the conversation of Elsa and Bo, in which Bo has said something."""
    elsa, bo = friends
    conversation = dm_of(elsa, "bo.ek")
    say(bo, conversation, "Hej Elsa!")
    return conversation


@pytest.fixture
def elsa(dm: str, app: App) -> App:
    """The app of Elsa, who has this conversation."""
    return app
