"""The benchmarks' fake upstream fails as it is set to, for one school at a time."""

import socket
import time

import pytest

from benchmarks.fake_upstream.answers import SCHOOLS, username
from benchmarks.fake_upstream.server import FakeUpstream
from upstream.calls.lessons import fetch_lessons
from upstream.client import UpstreamClient
from upstream.errors import UpstreamFailing, UpstreamInvalid, UpstreamTimeout
from upstream.records import ProvenSession

HEALTHY, FAILING = SCHOOLS


def read(client: UpstreamClient, school: str) -> int:
    encoded = username(7).encode().hex().upper()
    web = ProvenSession(jsessionid=encoded, hash="0", usertype="1", school=school, role="student")
    return len(fetch_lessons(client, web=web, week=7))


def test_one_school_fails_and_the_other_does_not(
    fake: FakeUpstream, client: UpstreamClient
) -> None:
    fake.set_fault(FAILING, "error")
    with pytest.raises(UpstreamFailing, match="500"):
        read(client, FAILING)
    assert read(client, HEALTHY)
    fake.set_fault(FAILING, "none")
    assert read(client, FAILING)


def test_every_third_call_fails_and_a_retry_helps(
    fake: FakeUpstream, client: UpstreamClient
) -> None:
    fake.set_fault(FAILING, "flaky")
    assert all(read(client, FAILING) for _ in range(3))
    arrivals = fake.arrivals(FAILING)
    assert [kind for _, kind in arrivals] == ["lessons"] * 4
    assert sorted(at for at, _ in arrivals) == [at for at, _ in arrivals]


def test_a_dripping_answer_does_not_end(fake: FakeUpstream, client: UpstreamClient) -> None:
    fake.set_fault(FAILING, "drip")
    for _ in range(2):  # from the first byte, and from the body on
        began = time.perf_counter()
        with pytest.raises(UpstreamTimeout):
            read(client, FAILING)
        assert time.perf_counter() - began > 1.4


def test_gigabytes_are_refused(fake: FakeUpstream, client: UpstreamClient) -> None:
    fake.set_fault(FAILING, "gzip")
    with pytest.raises(UpstreamInvalid, match="too large when inflated"):
        read(client, FAILING)
    with pytest.raises(UpstreamInvalid, match="too large"):
        read(client, FAILING)


def test_a_gigabyte_is_sent_as_fast_as_it_is_read(fake: FakeUpstream) -> None:
    fake.set_fault(FAILING, "gzip")
    head = f"GET /{FAILING}/rest-api/session HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", fake.port)) as connection:
        connection.sendall(head)
        connection.settimeout(5)
        taken = len(connection.recv(100))
    with socket.create_connection(("127.0.0.1", fake.port)) as connection:
        connection.sendall(head)
        connection.settimeout(5)
        while taken < 8 * 1024 * 1024:
            taken += len(connection.recv(1024 * 1024))
