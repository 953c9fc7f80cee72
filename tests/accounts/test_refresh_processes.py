"""Two processes with one Redis refresh one session; one of them is killed meanwhile."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

import store
from accounts.models import ServiceSession
from tests.accounts.page_login import signed_in_through_page
from tests.concurrency import crowd
from tests.conftest import ELSA
from tests.service_process import ServiceProcess, running
from upstream.simulator.server import Simulator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not settings.REDIS_URL, reason="two processes share nothing but Redis"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def servers(
    simulator: Simulator, transactional_db: None, tmp_path: Path
) -> Iterator[list[ServiceProcess]]:
    """Two processes, with an upstream that issues refresh tokens."""
    simulator.state.settings.refresh_tokens = True
    with ExitStack() as started:
        yield [started.enter_context(running(tmp_path, simulator.url)) for _ in range(2)]


def test_two_processes_share_one_rotation(
    servers: list[ServiceProcess], simulator: Simulator
) -> None:
    _, login, cookies = servers[0].request("POST", "/api/login", ELSA)
    simulator.requests.clear()
    with crowd(2) as start, simulator.faults.hold("login.token") as held:
        both = [
            start(lambda one=one: one.request("POST", "/api/refresh", cookies=cookies))  # type: ignore[misc]
            for one in servers
        ]
        held.wait_for(1)
        with pytest.raises(TimeoutError):
            held.wait_for(2, timeout=1)
        held.release()
        answers = [one.result(30) for one in both]
    assert [status for status, *_ in answers] == [200, 200]
    tokens = {body["access_token"] for _, body, _ in answers}
    assert len(tokens) == 1
    assert login["token"] not in tokens
    assert simulator.requests.count("login.token") == 1
    assert simulator.requests.count("login.session") == 1
    for server, (_, _, fresh) in zip(reversed(servers), answers, strict=True):
        assert server.request("GET", "/api/session", cookies=fresh)[0] == 200


def test_two_processes_renew_a_token_once(
    servers: list[ServiceProcess], simulator: Simulator
) -> None:
    """The token of a login through the school's own page, which has less than a minute left."""
    cookies = signed_in_through_page().twin().http.cookies
    record = ServiceSession.objects.get()
    record.token_expires_at = timezone.now().isoformat()
    record.save()
    store.clear()
    simulator.requests.clear()
    sent = {name: morsel.value for name, morsel in cookies.items()}
    with crowd(4) as start, simulator.faults.hold("login.token") as held:
        all_of_them = [
            start(lambda one=one: one.request("POST", "/api/token", cookies=sent))  # type: ignore[misc]
            for one in servers * 2
        ]
        held.wait_for(1)
        with pytest.raises(TimeoutError):
            held.wait_for(2, timeout=1)
        held.release()
        answers = [one.result(30) for one in all_of_them]
    assert [status for status, *_ in answers] == [200] * 4
    assert simulator.requests.count_operation("login.token") == 1
    assert len({body["access_token"] for _, body, _ in answers}) == 1


def test_a_process_killed_before_saving_leaves_a_valid_session(
    servers: list[ServiceProcess], simulator: Simulator
) -> None:
    doomed, other = servers
    _, login, cookies = doomed.request("POST", "/api/login", ELSA)
    with crowd(1) as start, simulator.faults.hold("login.token", after=True) as held:
        dying = start(lambda: doomed.request("POST", "/api/refresh", cookies=cookies))
        held.wait_for(1)  # upstream has rotated, and the answer is on its way
        doomed.kill()
        assert dying.exception(10) is not None
    # The lock of the killed process expires; the access token is still valid.
    status, body, fresh = other.request("POST", "/api/refresh", cookies=cookies, timeout=25)
    assert (status, body.get("access_token")) == (200, login["token"])
    assert other.request("GET", "/api/session", cookies=fresh)[0] == 200
    status, _, fresh = other.request("POST", "/api/refresh", cookies=fresh, timeout=3)
    assert status == 200
    assert other.request("GET", "/api/session", cookies=fresh)[0] == 200
    assert ServiceSession.objects.get().refresh_token is None
