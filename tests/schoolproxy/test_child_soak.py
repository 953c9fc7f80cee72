"""A guardian's two children under load: no answer is ever about another child than it says.

Several clients and logins read at three server processes on PostgreSQL and Redis, while web
sessions die, tokens are refreshed, the default changes, and the school system lies and fails. A
tenth of the reads runs with the other tests; `make soak` runs all of them.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from django.conf import settings
from django.db import connection

from tests.concurrency import crowd
from tests.schoolproxy.child_reader import WEEKS, Findings, Login, Reader
from tests.schoolproxy.family import ALVA, BO, GUARDIAN, SCHOOL, person, starts_of
from tests.service_process import running
from upstream.simulator.server import Simulator

# The reads for each dialect, and for one or many web sessions at a time.
READS = {("observed", "many"): 800, ("specified", "one"): 100}
if os.environ.get("SOAK"):
    READS = {
        ("observed", "many"): 3500,
        ("specified", "many"): 3500,
        ("observed", "one"): 700,
        ("specified", "one"): 700,
    }
PROCESSES, CLIENTS = 3, 8
pytestmark = [
    pytest.mark.soak,
    pytest.mark.slow,
    pytest.mark.skipif(
        not settings.REDIS_URL or connection.vendor != "postgresql",
        reason="several processes need PostgreSQL and Redis",
    ),
    pytest.mark.django_db(transaction=True),
]
# What the school system does wrong, once each time.
LIES = [
    ("child", "other-child"),
    ("child", "no-current-child"),
    ("child", "no-children"),
    ("child", "empty"),
    ("login.session", "missing-hash"),
    ("login.session", "303-error"),
    ("lessons", "401"),
    ("lessons", "302-login"),
    ("lessons", "200-html"),
    ("lessons", "500"),
    ("session", "401"),
    ("child", "reset"),
    ("lessons", "cut"),
]


@pytest.fixture(params=READS, ids="-".join)
def case(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A dialect, and whether upstream allows one or many web sessions at a time."""
    dialect, web_sessions = request.param
    return dialect, web_sessions


@pytest.fixture
def urls(
    case: tuple[str, str], simulator: Simulator, transactional_db: None, tmp_path: Path
) -> Iterator[list[str]]:
    """Server processes that share one database and one Redis."""
    dialect, web_sessions = case
    simulator.state.settings.set("web_sessions", web_sessions)
    changes = {
        "RATE_LIMITS": "off",
        "ALLOW_UNLIMITED": "1",
        "SCHOOL_CACHE_SECONDS": "1",
        "SESSION_CHECK_SECONDS": "2",
        "UPSTREAM_DIALECT": dialect,
        "LOG_LEVEL": "ERROR",
    }
    with ExitStack() as started:
        servers = [
            started.enter_context(running(tmp_path, simulator.url, **changes))
            for _ in range(PROCESSES)
        ]
        yield [server.url for server in servers]


def owners(simulator: Simulator) -> dict[tuple[int, object], str]:
    """Whose each lesson is; no two children share one."""
    return {
        (week, event): child
        for week in WEEKS
        for child in (BO, ALVA)
        for event in starts_of(simulator, child, week)
    }


def disturb(simulator: Simulator, random: Random, end: threading.Event, deaths: float) -> None:
    """Kill web sessions, lie and fail until the end. `deaths` is the share of killed sessions."""
    eva = person(simulator, GUARDIAN)
    state = simulator.state
    while not end.wait(random.uniform(0.01, 0.05)):
        choice = random.random()
        if choice < deaths:
            mine = [web for web in state.web_sessions.all() if web.person == eva]
            for web in random.sample(mine, len(mine) // 2 or len(mine)):
                state.web_sessions.end(web.jsessionid)
        elif choice < 0.42:
            state.clock.advance(60)
        elif choice < 0.6:
            # A switch without effect, for several of them: the session shows the other child.
            simulator.faults.set("child.switch", "empty", times=random.randint(1, 4), school=SCHOOL)
            state.settings.bridge_child = random.choice(["heeded", "ignored"])
        elif choice < 0.7:
            simulator.faults.set(*random.choice(LIES), times=1, school=SCHOOL)


def test_no_answer_is_about_another_child(
    urls: list[str],
    case: tuple[str, str],
    simulator: Simulator,
    capsys: pytest.CaptureFixture[str],
) -> None:
    findings = Findings(READS[case], owners(simulator))
    assert len(findings.owners) == sum(
        len(starts_of(simulator, child, week)) for week in WEEKS for child in (BO, ALVA)
    )
    one = case[1] == "one"
    # With one web session at a time, two logins would end each other's all the time.
    logins = [Login(urls, web=web) for web in ((True,) if one else (True, True, False))]
    for login in logins:
        login.sign_in()
    readers = [
        Reader(logins[number % len(logins)], findings, f"reader {number}")
        for number in range(2 if one else CLIENTS)
    ]
    end = threading.Event()
    with crowd(CLIENTS + 1) as start:
        trouble = start(lambda: disturb(simulator, Random("trouble"), end, 0.02 if one else 0.4))
        try:
            for running_reader in [start(reader.run) for reader in readers]:
                running_reader.result(600)
        finally:
            end.set()
        trouble.result(10)
    with capsys.disabled():
        print(f"\n{case}: {dict(findings.answers.most_common())}")  # noqa: T201
    assert findings.wrong == []
    assert findings.answers["reads"] >= READS[case]
    assert findings.answers["not stale"] > findings.answers["reads"] / 4
    if not one:  # there the session of one child ends that of the other
        refused = sum(count for name, count in findings.answers.items() if name[0] in "45")
        assert findings.answers["reads"] > refused / 2
