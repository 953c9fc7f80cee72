"""The benchmarks run, print what they measured, and refuse a wrong answer."""

import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.db import connection

from benchmarks.capacity_model import CALLS, ROWS, VISIT, Assumptions, Cost, Measured, capacity
from benchmarks.driver import Request, replay
from benchmarks.fake_upstream import SCHOOL, mark_of, username
from benchmarks.processes import CouldNotRun
from benchmarks.site import FakeUpstream, fake_upstream
from tests.service_process import ROOT, database_url


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeUpstream]:
    with fake_upstream() as running:
        yield running


def week_of(number: int, *, expected: int) -> Request:
    """The request of person `number` to upstream for a week, which `expected` should get."""
    cookie = f"JSESSIONID={username(number).encode().hex().upper()}; usertype=1"
    path = f"/{SCHOOL}/rest-api/student/calendar/lessons/week/5"
    return Request(path, cookie=cookie, expect=mark_of(username(expected)))


def port_of(fake: FakeUpstream) -> list[int]:
    return [int(fake.url.rpartition(":")[2])]


def test_each_request_is_sent_once(fake: FakeUpstream) -> None:
    before = fake.calls("lessons")
    requests = [week_of(number, expected=number) for number in range(50)]
    run = replay(port_of(fake), requests, connections=4)
    assert len(run.latencies) == fake.calls("lessons") - before == 50
    assert 0 < run.latencies[0] <= run.latencies[-1] < run.seconds


@pytest.mark.parametrize(
    "wrong", [week_of(1, expected=2), Request("/nowhere")], ids=["for another person", "404"]
)
def test_a_wrong_answer_ends_the_run(fake: FakeUpstream, wrong: Request) -> None:
    requests = [week_of(3, expected=3), wrong, week_of(4, expected=4)]
    with pytest.raises(CouldNotRun, match=wrong.path):
        replay(port_of(fake), requests, connections=2)


@pytest.mark.slow
@pytest.mark.skipif(connection.vendor != "postgresql", reason="runs on PostgreSQL and Redis")
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")
def test_a_scenario_prints_its_rows(db: None) -> None:
    command = [sys.executable, "-m", "benchmarks", "--only", "version", "--rounds", "1"]
    variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "DATABASE_URL": database_url()}
    ran = subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    rows = [line.split(" | ") for line in ran.stdout.splitlines()[2:]]
    assert [row[:2] for row in rows] == [
        ["| version", measure] for measure in ("time ms", "CPU ms", "p50 ms", "p99 ms")
    ]
    assert all(float(row[2]) > 0 for row in rows)


def measured(redis: float = 0.1) -> Measured:
    names = {*VISIT, *CALLS, "schedule, cached", "send", "note", "heartbeat"}
    requests = dict.fromkeys(names, Cost(web=6, database=1, redis=redis, commands=2))
    socket = dict.fromkeys(
        ("opening, CPU ms", "heartbeat, CPU ms", "delivery, CPU ms", "memory KiB"), 1.0
    )
    return Measured(requests, dict.fromkeys([*ROWS, "message"], 500.0), socket, 4_096)


def test_the_model_multiplies_what_was_measured() -> None:
    one, ten = (capacity(pupils, measured(), Assumptions()) for pupils in (6_000, 60_000))
    for name in ("requests/s", "cores: web", "database after a year, GiB", "sockets"):
        assert float(ten[name]) == pytest.approx(10 * float(one[name]))
    # 6 ms of 0.6 of a core.
    assert float(one["cores: web"]) == pytest.approx(float(one["requests/s"]) / 100)
    assert one["sockets"] == 1_500


def test_the_model_names_what_is_at_its_limit_first() -> None:
    costly = measured(redis=100)
    assert str(capacity(100_000, measured(), Assumptions())["first limit"]).startswith("conn")
    assert str(capacity(100_000, costly, Assumptions())["first limit"]).startswith("Redis")


@pytest.mark.slow
@pytest.mark.skipif(connection.vendor != "postgresql", reason="runs on PostgreSQL and Redis")
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")
def test_the_capacity_is_measured_and_computed(db: None) -> None:
    command = [sys.executable, "-m", "benchmarks.capacity", "--people", "20", "--rounds", "1"]
    variables = {"PATH": "/usr/local/bin:/usr/bin:/bin", "DATABASE_URL": database_url()}
    ran = subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    rows = [line.strip("| ").split(" | ") for line in ran.stdout.splitlines()]
    costs = {row[0]: row[1:] for row in rows}
    assert {"search", "message", "watch", "memory KiB", "first limit"} <= set(costs)
    assert len(costs["requests/s"]) == 4
