"""`POST /api/login` with upstream 20 ms away: four calls, and our own work; one or many at once."""

from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.results import Figure
from benchmarks.users import login_request

LATENCY = 20.0
COUNT = 80
AT_ONCE, COUNT_AT_ONCE = 16, 480


def login(bench: Bench) -> Iterator[Figure]:
    """New users: profile and session record are written each time."""
    bench.replay([login_request(number) for number in bench.numbers(10)])
    requests = [login_request(number) for number in bench.numbers(COUNT)]
    bench.progress(f"{COUNT} logins, upstream {LATENCY:.0f} ms away")
    before = bench.service.fake.calls()
    with bench.latency(LATENCY), bench.expecting("password", COUNT):
        run = bench.replay(requests)
    after = bench.service.fake.calls()
    kinds = ("password", "token", "translate", "session", "schools")
    trips = sum(after.get(kind, 0) - before.get(kind, 0) for kind in kinds) / COUNT
    row = f"`/api/login` at {LATENCY:.0f} ms upstream latency: p50"
    yield Figure(row, run.p50, "ms", 90.0, note=f"{trips:.1f} trips")
    yield Figure("the same: CPU a login", run.cpu_ms, "ms")
    requests = [login_request(number) for number in bench.numbers(COUNT_AT_ONCE)]
    bench.progress(f"{COUNT_AT_ONCE} logins, {AT_ONCE} at once")
    with bench.latency(LATENCY), bench.expecting("password", COUNT_AT_ONCE, slack=AT_ONCE):
        run = bench.replay(requests, connections=AT_ONCE)
    note = f"{run.rate:.0f} a second"
    yield Figure(f"`/api/login`, {AT_ONCE} at once: p99", run.p99, "ms", 300.0, note=note)
