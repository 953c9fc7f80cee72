"""The people and fixtures that every test of a route needs.

Upstream is the simulator on a real loopback port; the database and the store are real, too. With
`REDIS_URL` the suite runs on Redis, else on the store of the process.
"""

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings as django_settings
from django.core.signals import setting_changed
from django.db import connection
from django.dispatch import receiver
from django.test import Client, TransactionTestCase
from django.utils import translation
from pytest_django.fixtures import Settings

import store
from accounts.models import Account
from accounts.services import schools
from notifications.services.deliveries import host_breaker
from stats import counters
from tests import committed_rows, migrated_database, redis_server, sign_in
from tests.migration_states import let_tests_empty_the_audit_log
from upstream import shared_client
from upstream.simulator import server
from upstream.simulator.server import Simulator

# What Elsa enters to sign in.
ELSA = {"username": "elsa.nordvall", "password": "elsa-demo", "school": "bjorkdalen"}

# A busy machine is no reason to fail: an example may take as long as it needs.
hypothesis.settings.register_profile("tests", hypothesis.settings.default, deadline=None)
hypothesis.settings.load_profile("tests")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests first, then the pages in browsers: the other workers do the rest meanwhile,
    and none has a long test left when they are done. The tests of a package stay together, whose
    order is random, so that what they share is started once."""
    packages: dict[Path, int] = {}
    for item in items:
        packages.setdefault(item.path.parent, len(packages))

    def place(item: pytest.Item) -> tuple[bool, bool, int]:
        is_slow = item.get_closest_marker("slow") is not None
        in_browser = item.get_closest_marker("browser") is not None
        return not is_slow, not in_browser, packages[item.path.parent]

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Run the garbage collector less often: it took a tenth of the time, mostly to look at pytest's
    own objects again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings: None) -> bool:
    """Whether a migrated database is in place already."""
    return connection.vendor == "sqlite" and migrated_database.copy_to(_database_file())


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, django_db_keepdb: bool, django_db_blocker: Any
) -> None:
    try:
        request.getfixturevalue("django_db_setup")  # that of pytest-django
    except BaseException:
        migrated_database.give_up()
        raise
    with django_db_blocker.unblock():
        if connection.vendor == "sqlite" and not django_db_keepdb:
            migrated_database.keep(connection)
        let_tests_empty_the_audit_log()
        committed_rows.remember_what_migrate_made()


def _database_file() -> Path:
    return Path(connection.settings_dict["TEST"]["NAME"])


# 0.1 seconds of CPU less for each of 470 tests, and on PostgreSQL as much again in the server.
TransactionTestCase._fixture_teardown = committed_rows.empty_after  # type: ignore[attr-defined]


@receiver(setting_changed)
def _reset_upstream_client(*, setting: str, **_: object) -> None:
    """The client is made once from these settings; a test that changes one needs another."""
    if setting == "WEB_THREADS" or setting.startswith("UPSTREAM_"):
        shared_client.reset()


_simulators: list[Simulator] = []


@pytest.fixture(scope="session")
def simulator_server() -> Iterator[Simulator]:
    with server.run() as running:
        _simulators.append(running)
        yield running
        _simulators.clear()


def running_simulator() -> Simulator:
    return _simulators[0]


@pytest.fixture
def simulator(simulator_server: Simulator, settings: Settings) -> Iterator[Simulator]:
    """The school system without sessions and faults."""
    simulator_server.reset()
    settings.UPSTREAM_URL = simulator_server.url
    yield simulator_server
    # Calls that this test abandoned must not be counted in the next one.
    simulator_server.faults.clear()
    shared_client.reset()
    simulator_server.requests.wait_until_idle()
    assert simulator_server.requests.written == [], "we only read at the school"


@pytest.fixture(scope="session")
def spare_redis() -> Iterator[str]:
    """The URL of a Redis database for tests that need one whatever the suite runs on: on a server
    of their own, or on that of `REDIS_URL`."""
    if django_settings.REDIS_URL:
        yield redis_server.database_beside(django_settings.REDIS_URL)
        return
    with redis_server.running() as url:
        yield url


@pytest.fixture(autouse=True)
def empty_stores() -> Iterator[None]:
    """Empty the store and the caches, in Redis and in this process."""
    _forget()
    yield
    _forget()
    translation.deactivate()  # a request leaves its language to the next one in this thread


def _forget() -> None:
    store._cache.cache_clear()
    store.clear()
    schools._local.clear()
    host_breaker.cache_clear()
    shared_client.reset()


@pytest.fixture
def nothing_counted() -> Iterator[None]:
    """Statistics without what other tests have counted."""
    counters._counters.reset()
    yield
    counters._counters.reset()


@pytest.fixture
def own_clock() -> None:
    """For tests in which store entries expire: Redis has its own clock."""
    if django_settings.REDIS_URL:
        pytest.skip("Redis has its own clock, which a test cannot change")


class Caller:
    """A JSON client of the service with its own cookies."""

    def __init__(self, **defaults: Any) -> None:
        self.http = Client(**defaults)
        self.token = ""

    def get(self, path: str, **headers: str) -> Any:
        return self.http.get(path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.http.post(path, body, content_type="application/json", headers=headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.http.put(path, body or {}, content_type="application/json", headers=headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.http.patch(path, body or {}, content_type="application/json", headers=headers)

    def delete(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.http.delete(path, body or "", content_type="application/json", headers=headers)

    def sign_in(self, username: str = "elsa.nordvall", school: str = "bjorkdalen") -> Any:
        """Log in by name; returns the successful response."""
        password = f"{username.split('.')[0]}-demo"
        body = {"username": username, "password": password, "school": school}
        answer = self.post("/api/login", body)
        assert answer.status_code == 200, answer.content
        return answer

    def enter(self, username: str = "elsa.nordvall", school: str = "bjorkdalen") -> Account:
        """Be signed in, without the login where it would do nothing else."""
        simulator = running_simulator()
        person = simulator.state.person(school, username)
        if not sign_in.is_plain(simulator, person):
            self.token = self.sign_in(username, school).json()["token"]
            return sign_in.accounts_of(person).get()
        cookies, self.token, account = sign_in.add_session(simulator.state, person)
        for name, value in cookies.items():
            self.set_cookie(name, value)
        return account

    def twin(self) -> "Caller":
        """Another client with the same cookies."""
        other = Caller()
        for name, value in self.cookies.items():
            other.set_cookie(name, value)
        return other

    @property
    def cookies(self) -> dict[str, str]:
        """Our cookies by name, without the prefix."""
        prefix = django_settings.COOKIE_PREFIX
        return {
            name.removeprefix(prefix): morsel.value for name, morsel in self.http.cookies.items()
        }

    def set_cookie(self, name: str, value: str) -> None:
        self.http.cookies[django_settings.COOKIE_PREFIX + name] = value


def signed_in(
    username: str = "elsa.nordvall", school: str = "bjorkdalen", **defaults: Any
) -> Caller:
    """A new client, in which somebody has signed in with cookies."""
    caller = Caller(**defaults)
    if defaults:  # a device has a name
        caller.sign_in(username, school)
    else:
        caller.enter(username, school)
    return caller


@pytest.fixture
def caller(simulator: Simulator, db: None) -> Caller:
    """A client that has not signed in."""
    return Caller()


@pytest.fixture
def elsa(caller: Caller) -> Caller:
    """Elsa, a pupil of bjorkdalen, signed in with cookies."""
    caller.enter()
    return caller


@pytest.fixture
def bo(simulator: Simulator, db: None) -> Caller:
    """Bo, another pupil of bjorkdalen, signed in with cookies."""
    return signed_in("bo.ek")


@pytest.fixture
def zoe(simulator: Simulator, db: None) -> Caller:
    """Zoe, a pupil of the other school, signed in with cookies."""
    return signed_in("zoe.åkerman", "nyvang")
