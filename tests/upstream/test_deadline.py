"""The deadline of all calls of one request."""

import contextvars
import math
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.upstream.conftest import SCHOOL
from tests.upstream.raw_server import RawServer, always, http
from upstream import deadline
from upstream.client import UpstreamClient
from upstream.endpoints import SESSION
from upstream.errors import UpstreamTimeout
from upstream.records import ProvenSession


def test_what_cleans_up_has_time_of_its_own() -> None:
    with deadline.deadline_scope(time.monotonic() - 1):
        assert deadline.seconds_left(5) == 0
        with deadline.own_deadline():
            assert deadline.seconds_left(5) == 5
        assert deadline.seconds_left(5) == 0


def test_the_earlier_deadline_applies_until_its_scope_ends() -> None:
    assert deadline.current_deadline() == math.inf
    with deadline.deadline_scope(5):
        for moment, counts in ((4, 4), (6, 5)):
            with deadline.deadline_scope(moment):
                assert deadline.current_deadline() == counts
        assert deadline.current_deadline() == 5
    assert deadline.current_deadline() == math.inf


def test_the_seconds_left_are_bounded() -> None:
    assert deadline.seconds_left(20) == 20
    with deadline.deadline_scope(time.monotonic() - 1):
        assert deadline.seconds_left(20) == 0
    with deadline.deadline_scope(time.monotonic() + 10):
        assert 5 < deadline.seconds_left(20) <= 10


def test_a_thread_with_the_copied_context_has_the_deadline() -> None:
    with deadline.deadline_scope(5), ThreadPoolExecutor(1) as pool:
        assert pool.submit(contextvars.copy_context().run, deadline.current_deadline).result() == 5
        assert pool.submit(deadline.current_deadline).result() == math.inf


def test_consecutive_request_scopes_share_the_deadline(client: UpstreamClient) -> None:
    with deadline.deadline_scope(time.monotonic() + 0.5):
        moment = client.deadline()
        for _ in range(2):
            with client.request_scope(SCHOOL, person="elsa"):
                assert client.deadline() == moment


def test_without_time_left_nothing_is_sent_and_no_failure_is_counted(
    client: UpstreamClient, server: RawServer, web: ProvenSession
) -> None:
    server.script = always(http(b"[]"))
    with deadline.deadline_scope(time.monotonic() - 1):
        for _ in range(10):
            with pytest.raises(UpstreamTimeout):
                client.fetch_json(SESSION, web=web)
    assert server.requests == []
    assert client.fetch_json(SESSION, web=web) == []
