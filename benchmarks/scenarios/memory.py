"""The memory of a worker: after start, after many accounts, over many requests."""

import random
from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.closed_loop import Request
from benchmarks.people import WEEKS, Person, login_request
from benchmarks.results import Figure

ACCOUNTS = 1000
STEPS = 10
LOGIN_SHARE = 0.02
AIM = 140.0
FLAT = 4.0  # MiB over the second half of the requests


def memory(bench: Bench) -> Iterator[Figure]:
    """1,000 accounts one after another, then weeks drawn at random among new logins."""
    yield Figure("memory of a worker: after start", bench.service.memory(), "MiB", AIM)
    people = bench.people(ACCOUNTS)
    bench.replay([person.schedule(1) for person in people])
    row = f"the same: after {ACCOUNTS} accounts logged in and read a week"
    yield Figure(row, bench.service.memory(), "MiB", AIM)
    count = 200_000 if bench.full else 20_000
    series = [bench.service.memory()]
    dice = random.Random(count)
    for step in range(STEPS):
        bench.say(f"memory {series[-1]:.1f} MiB after {step * count // STEPS} requests")
        bench.replay(_mixture(bench, people, dice, count // STEPS), connections=8)
        series.append(bench.service.memory())
    yield Figure(f"the same: after {count} requests more", series[-1], "MiB", AIM)
    grown = series[-1] - series[STEPS // 2]
    yield Figure("the same: growth over the second half", grown, "MiB", FLAT)
    told = ", ".join(f"{mib:.1f}" for mib in series)
    bench.remarks.append(f"{bench.stores}, memory every {count // STEPS} requests (MiB): {told}")


def _mixture(bench: Bench, people: list[Person], dice: random.Random, count: int) -> list[Request]:
    """Weeks of random people, and new people who log in."""
    return [
        login_request(bench.numbers(1)[0])
        if dice.random() < LOGIN_SHARE
        else dice.choice(people).schedule(dice.choice(WEEKS))
        for _ in range(count)
    ]
