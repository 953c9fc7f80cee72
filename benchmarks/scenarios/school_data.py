"""News, subject rooms and lunch: their cost, and the number of calls to upstream."""

import os
import statistics
import time
from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.closed_loop import ClosedLoopResult
from benchmarks.fake_upstream.documents import ROOMS
from benchmarks.fake_upstream.pages import WEIGHT, start_page
from benchmarks.results import Figure
from benchmarks.scenarios.schedule import warm_users
from benchmarks.users import WEEKS, User
from upstream.pages.html import Page
from upstream.pages.news import read_news

# In batches, so that no validation expires between the login and the request.
BATCH = 120
NEWS_BATCHES, NEWS_REPEATS = 6, 10
LATENCY = 80.0
SUBJECTS_USERS, SUBJECTS_WARM_UP = 150, 10
LUNCH_USERS = 240
LUNCH_REPEATS = 40
PARSED = 400


def news(bench: Bench) -> Iterator[Figure]:
    """The start page, 35 kB: parsing it alone, and the whole route, not fetched and cached."""
    kilobytes = WEIGHT // 1000
    row = f"news, a page of {kilobytes} kB: parsing alone, CPU"
    yield Figure(row, _parsing(bench, start_page(1)), "ms", 1.2)
    row = "the same, where 100 news fill the page: parsing alone, CPU"
    yield Figure(row, _parsing(bench, start_page(1, items=100)), "ms")
    runs, cached = [], []
    for _ in range(NEWS_BATCHES):
        users = warm_users(bench, BATCH)
        bench.progress(f"{len(users)} start pages, one connection")
        with bench.expecting("news", len(users)), bench.expecting("session", 0, slack=BATCH):
            runs.append(bench.replay([user.news() for user in users]))
        with bench.expecting("news", 0):
            cached.append(bench.replay([user.news() for user in users] * NEWS_REPEATS))
    cpu = _cpu_ms(runs)
    row = "`/api/news` not fetched before: CPU a request"
    yield Figure(row, cpu, "ms", 2.5, cpu / bench.direct.python_cpu)
    yield Figure("the same: p50", statistics.median(run.p50 for run in runs), "ms")
    note = f"{cpu / _cpu_ms(cached):.1f} times less than not fetched before"
    yield Figure("`/api/news` cached: CPU a request", _cpu_ms(cached), "ms", note=note)


def subjects(bench: Bench) -> Iterator[Figure]:
    """Twelve rooms with three parts each, upstream 80 ms away: two trips, 37 calls."""
    calls = 1 + 3 * ROOMS
    users = warm_users(bench, SUBJECTS_USERS)
    requests = [user.subjects() for user in users]
    bench.replay(requests[:SUBJECTS_WARM_UP])  # starts threads and connections
    half = (len(requests) - SUBJECTS_WARM_UP) // 2
    far, near = requests[SUBJECTS_WARM_UP:][:half], requests[SUBJECTS_WARM_UP:][half:]
    bench.progress(f"{half} users' {ROOMS} rooms, {LATENCY:.0f} ms upstream, and as many at 0 ms")
    before = sum(bench.service.fake.calls().values())
    with bench.latency(LATENCY), bench.expecting("rooms", half):
        run = bench.replay(far)
    seen = (sum(bench.service.fake.calls().values()) - before) / half
    with bench.expecting("rooms", half):
        at_once = bench.replay(near)
    row = f"`/api/subjects`, {ROOMS} rooms, {LATENCY:.0f} ms upstream: p50"
    note = f"{seen:.1f} calls, p99 {run.p99:.0f} ms"
    yield Figure(row, run.p50, "ms", 185.0, run.p50 / (LATENCY + bench.direct.raw_p50), note=note)
    yield Figure(
        "the same: CPU a request, not fetched before",
        run.cpu_ms,
        "ms",
        14.0,
        run.cpu_ms / bench.direct.python_cpu,
        note=f"a bare client's {calls} calls: {calls * bench.direct.python_cpu:.1f} ms",
    )
    row = f"`/api/subjects`, {ROOMS} rooms, 0 ms upstream: CPU a request"
    yield Figure(row, at_once.cpu_ms, "ms", 8.0, at_once.cpu_ms / bench.direct.python_cpu)


def lunch(bench: Bench) -> Iterator[Figure]:
    """The menu of a week, cached for a whole school: uncached and cached."""
    users = warm_users(bench, LUNCH_USERS)
    first_of_school: dict[int, User] = {}
    for user in users:
        first_of_school.setdefault(user.organization_id, user)
    weeks = WEEKS[1:]
    requests = [each.lunch(week) for week in weeks for each in first_of_school.values()]
    bench.progress(f"{len(requests)} menus never read before, one connection")
    with bench.expecting("lunch", len(requests)), bench.expecting("session", 0, slack=2 * BATCH):
        run = bench.replay(requests)
    row, direct = "`/api/lunch` not fetched before: CPU a request", bench.direct.python_cpu
    yield Figure(row, run.cpu_ms, "ms", 1.7 if bench.redis else 1.1, run.cpu_ms / direct)
    users = warm_users(bench, BATCH)
    bench.replay([user.lunch(2) for user in users])
    requests = [user.lunch(2) for _ in range(LUNCH_REPEATS) for user in users]
    bench.progress(f"{len(requests)} menus that are cached, one connection")
    with bench.expecting("lunch", 0), bench.expecting("session", 0, slack=2 * BATCH):
        run = bench.replay(requests)
    row = "`/api/lunch` cached: CPU a request"
    yield Figure(row, run.cpu_ms, "ms", 0.9 if bench.redis else 0.5, run.cpu_ms / direct)


def _cpu_ms(runs: list[ClosedLoopResult]) -> float:
    return sum(run.cpu for run in runs) / sum(run.count for run in runs) * 1000


def _parsing(bench: Bench, body: bytes) -> float:
    """CPU in ms to parse this page, on the service's core."""
    page, own = Page(body, "iso-8859-1"), os.sched_getaffinity(0)
    if bench.service.core is not None:
        os.sched_setaffinity(0, {bench.service.core})
    try:
        for _ in range(PARSED // 5):
            read_news(page)
        began = time.process_time()
        for _ in range(PARSED):
            read_news(page)
        return (time.process_time() - began) / PARSED * 1000
    finally:
        os.sched_setaffinity(0, own)
