"""`GET /api/schedule`, with a cached validation: uncached and cached weeks."""

from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.closed_loop import Request
from benchmarks.results import Figure
from benchmarks.users import User, each_week_once, version_request

USERS = 120  # with 52 weeks each: 6,240 requests, and far below the limit of 600 a minute
REPEATS = 50


def uncached(bench: Bench) -> Iterator[Figure]:
    """Every request is for a week that this account has not read: one call to upstream each.

    The caches are on, as shipped, so that storing the answer is included.
    """
    users = warm_users(bench)
    requests = each_week_once(users)
    bench.progress(f"{len(requests)} weeks never read before, one connection")
    # On a slow machine a validation expires during the run: one more for each, two in a hundred.
    validated = bench.expecting("session", 0, slack=2 * USERS)
    with bench.expecting("lessons", len(requests)), validated:
        run = bench.replay(requests)
    aim = 1.7 if bench.redis else 1.1
    row = "`/api/schedule` not fetched before: CPU a request"
    yield Figure(row, run.cpu_ms, "ms", aim, run.cpu_ms / bench.direct.python_cpu)
    over, ratio = run.p50 - bench.direct.raw_p50, run.p50 / bench.direct.raw_p50
    yield Figure("the same: p50 over a direct call, concurrency 1", over, "ms", 2.0, ratio)
    yield Figure(
        "the same: p99, concurrency 1", run.p99, "ms", None, run.p99 / bench.direct.raw_p99
    )

    requests = each_week_once(warm_users(bench))
    bench.progress(f"{len(requests)} weeks never read before, eight connections")
    with bench.expecting("lessons", len(requests)):
        run = bench.replay(requests, connections=8)
    yield Figure("the same, concurrency 8: CPU a request", run.cpu_ms, "ms")
    yield Figure("the same, concurrency 8: requests a second on one core", run.rate, "/s")


def cached(bench: Bench) -> Iterator[Figure]:
    """Every request is for a week that this account read a moment ago: no call to upstream."""
    users = warm_users(bench)
    requests = [user.schedule(1) for _ in range(REPEATS) for user in users]
    bench.progress(f"{len(requests)} weeks that are cached, one connection")
    with bench.expecting("lessons", 0), bench.expecting("session", 0, slack=USERS):
        run = bench.replay(requests)
    aim = 0.9 if bench.redis else 0.5
    row = "`/api/schedule` cached: CPU a request"
    yield Figure(row, run.cpu_ms, "ms", aim, run.cpu_ms / bench.direct.python_cpu)
    ratio = run.p50 / bench.direct.raw_p50
    yield Figure("the same: p50, concurrency 1", run.p50, "ms", None, ratio)


def session(bench: Bench) -> Iterator[Figure]:
    """`GET /api/session` of a session that was validated a moment ago: no call to upstream."""
    users = warm_users(bench)
    requests = [Request("/api/session", cookie=user.cookie, expect="expiresAt") for user in users]
    with bench.expecting("session", 0, slack=USERS):
        run = bench.replay(requests * REPEATS)
    yield Figure("`/api/session`: CPU a request", run.cpu_ms, "ms", 0.45)


def frame(bench: Bench) -> Iterator[Figure]:
    """`GET /api/version`: server, middleware, logs and routing, without any other work."""
    requests = [version_request()] * 6000
    bench.replay(requests[:500])
    bench.progress(f"{len(requests)} times /api/version")
    run = bench.replay(requests)
    ratio = run.cpu_ms / bench.direct.python_cpu
    yield Figure("the frame alone (`/api/version`): CPU a request", run.cpu_ms, "ms", None, ratio)


def warm_users(bench: Bench, count: int = USERS, *, guardians: bool = False) -> list[User]:
    """Users whose session was validated just now, and who have read week 1."""
    users = bench.users(count, guardians=guardians)
    for _ in range(2):
        bench.replay([user.schedule(1) for user in users], connections=4)
    return users
