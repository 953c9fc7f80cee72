"""The result of a load, by school and by time."""

import shutil
import subprocess
import sys
import threading

import pytest
import redis

from benchmarks.fault_load import LoadResult, latency
from benchmarks.open_loop import OpenLoopResult, Outcome
from benchmarks.scenarios.faults import first_silence
from benchmarks.temporary_redis import TemporaryRedis


def load_result() -> LoadResult:
    outcomes = [Outcome(at, float(at), 10.0 * at, 200, True) for at in range(10)]
    opened = OpenLoopResult(10, 0, 0, 0, 0, 1, "", 0.0, outcomes)
    memory = [(0.5, 100.0), (1.5, 103.0), (2.5, 110.0), (3.5, 90.0)]
    return LoadResult(opened, frozenset({0, 5}), [2.0, 3.0], memory)


def test_outcomes_are_chosen_by_when_they_were_due() -> None:
    assert [one.at for one in load_result().outcomes(2, 7, failing=False)] == [2, 3, 4, 6]
    assert [one.at for one in load_result().outcomes(0, 99, failing=True)] == [0, 5]
    assert load_result().outcomes(4, 5, failing=False)[0].ended == pytest.approx(4.04)


def test_a_percentile_counts_all_answers() -> None:
    assert latency(load_result().outcomes(0, 99, failing=False), 0.99) == 90.0
    assert latency([], 0.5) == 0.0


def test_memory_is_compared_with_the_peak_before() -> None:
    assert load_result().memory_grown(2.0, 4.0) == pytest.approx(7.0)


def test_the_breaker_is_open_when_calls_stop_coming() -> None:
    assert first_silence([0.1, 0.2, 0.3, 10.3, 20.3]) == 0.3
    assert first_silence([0.1, 1.1, 2.1]) == 2.1
    assert first_silence([]) == float("inf")


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")
def test_a_temporary_redis_is_killed_and_started_again() -> None:
    with TemporaryRedis() as server:
        client = redis.Redis.from_url(server.url, socket_timeout=1, retry=None)
        assert client.ping()
        server.kill()
        with pytest.raises(redis.ConnectionError):
            client.ping()
        starter = threading.Thread(target=server.start)
        starter.start()
        starter.join()
        assert client.ping()
        server.freeze()
        with pytest.raises(redis.TimeoutError):
            client.ping()
        server.resume()
        assert client.ping()
        client.close()


def test_the_scenarios_are_listed() -> None:
    output = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--list"], capture_output=True, text=True, check=True
    )
    for name in ("news", "subjects", "accounts", "outage", "redis-away"):
        assert name in output.stdout
