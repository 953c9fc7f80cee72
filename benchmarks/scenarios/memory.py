"""The memory of a worker: after start, after many accounts, over many requests."""

import random
from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.closed_loop import Request
from benchmarks.results import Figure
from benchmarks.users import WEEKS, User, login_request

ACCOUNTS = 1000
STEPS = 10
LOGIN_SHARE = 0.02
AIM = 140.0
FLAT = 4.0  # MiB over the second half of the requests


def memory(bench: Bench) -> Iterator[Figure]:
    """1,000 accounts one after another, then weeks drawn at random among new logins."""
    yield Figure("memory of a worker: after start", bench.service.memory(), "MiB", AIM)
    users = bench.users(ACCOUNTS)
    bench.replay([user.schedule(1) for user in users])
    row = f"the same: after {ACCOUNTS} accounts logged in and read a week"
    yield Figure(row, bench.service.memory(), "MiB", AIM)
    count = 200_000 if bench.full else 20_000
    series = [bench.service.memory()]
    rng = random.Random(count)
    for step in range(STEPS):
        bench.progress(f"memory {series[-1]:.1f} MiB after {step * count // STEPS} requests")
        bench.replay(_mixture(bench, users, rng, count // STEPS), connections=8)
        series.append(bench.service.memory())
    yield Figure(f"the same: after {count} requests more", series[-1], "MiB", AIM)
    grown = series[-1] - series[STEPS // 2]
    yield Figure("the same: growth over the second half", grown, "MiB", FLAT)
    note = ", ".join(f"{mib:.1f}" for mib in series)
    bench.remark(f"memory every {count // STEPS} requests (MiB): {note}")


def _mixture(bench: Bench, users: list[User], rng: random.Random, count: int) -> list[Request]:
    """Weeks of random users, and new users who log in."""
    return [
        login_request(bench.numbers(1)[0])
        if rng.random() < LOGIN_SHARE
        else rng.choice(users).schedule(rng.choice(WEEKS))
        for _ in range(count)
    ]
