"""The direct call, to compare with: the same lessons from upstream without the service."""

import http.client
import os
import statistics
import time

from benchmarks.bench import Direct
from benchmarks.closed_loop import CouldNotRun, Request, replay
from benchmarks.fake_upstream.server import FakeUpstream
from benchmarks.users import User

COUNT = 3000


def measure(fake: FakeUpstream, cores: tuple[int | None, int | None]) -> Direct:
    """Time the direct call: by the driver, and by a bare Python client on the service's core."""
    requests = [User(number, "").lessons_upstream(number % 53 + 1) for number in range(COUNT)]
    replay(fake.port, requests[:500], core=cores[1])  # warm-up
    raw = replay(fake.port, requests, core=cores[1])
    own = os.sched_getaffinity(0)
    if cores[0] is not None:
        os.sched_setaffinity(0, {cores[0]})
    try:
        p50, cpu = _python(fake.port, requests)
    finally:
        os.sched_setaffinity(0, own)
    return Direct(raw_p50=raw.p50, raw_p99=raw.p99, python_p50=p50, python_cpu=cpu)


def _python(port: int, requests: list[Request]) -> tuple[float, float]:
    """(p50, CPU a call) in ms of `http.client` over one kept connection, body not parsed."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    latencies = []
    try:
        for at, request in enumerate(requests):
            if at == 200:  # warm by now
                cpu = time.process_time()
            began = time.perf_counter()
            connection.request("GET", request.path, headers={"Cookie": request.cookie})
            body = connection.getresponse().read()
            latencies.append(time.perf_counter() - began)
            if request.expect.encode() not in body:
                raise CouldNotRun("the fake upstream answered with the wrong lessons")
        spent = time.process_time() - cpu
    finally:
        connection.close()
    return statistics.median(latencies[200:]) * 1000, spent / (len(requests) - 200) * 1000
