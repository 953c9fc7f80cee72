"""`python -m benchmarks.capacity`: what a request, a socket and a row cost on this machine, and
what that makes for so many pupils.

CPU is user and system time of the processes, not time of the clock: other work on the machine
changes it by a quarter, not by a factor. The last table is computed: each assumption is an option.
"""

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import cast
from uuid import uuid4

import psycopg
from redis import Redis

from benchmarks.capacity_model import Assumptions, Cost, Measured, capacity
from benchmarks.command import print_row, run
from benchmarks.driver import Request
from benchmarks.processes import ROOT
from benchmarks.site import Options, Site, fake_upstream, site
from benchmarks.sockets import sockets
from benchmarks.users import User, ask, direct_messages, log_in, login_request, send_request

PEOPLE, ASKING, FEEDS, WEEKS, NOTE = 1_000, 300, 60, (20, 21), 1_700
SIZES = (500, 20_000, 100_000, 1_000_000)
_MILLISECONDS_OF_A_TICK = 1000 / os.sysconf("SC_CLK_TCK")
TABLES = {
    "account": "accounts_account",
    "profile": "accounts_profile",
    "session": "accounts_servicesession",
    "conversation": "social_conversation",
    "membership": "social_membership",
    "message": "social_message",
    "notification": "notifications_notification",
    "note": "notes_note",
    "feed": "schoolproxy_calendarfeed",
    "watch": "schoolproxy_watch",
}
_ROWS = """
SELECT pg_total_relation_size(%s::regclass),
       (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %%I', %s::text),
              false, true, '')))[1]::text::bigint
"""
Load = tuple[str, list[Request], Callable[[], object]]


class Meter:
    """CPU that PostgreSQL and Redis have spent on a site, and the commands of Redis."""

    def __init__(self, here: Site) -> None:
        self.here = here
        self.redis = Redis.from_url(here.variables["REDIS_URL"])
        self.database = psycopg.connect(here.variables["DATABASE_URL"], autocommit=True)

    def read(self) -> tuple[float, float, float]:
        """Milliseconds of PostgreSQL's connections and of Redis, and commands."""
        rows = self.database.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
        )
        ticks = sum(_ticks(pid) for (pid,) in rows.fetchall())
        cpu, stats = self._info("cpu"), self._info("stats")
        redis = cpu["used_cpu_user"] + cpu["used_cpu_sys"]
        return ticks * _MILLISECONDS_OF_A_TICK, redis * 1000, stats["total_commands_processed"]

    def cost(self, requests: list[Request]) -> Cost:
        """Of one of these requests."""
        before = self.read()
        sent = self.here.replay(requests)
        spent = [after - earlier for after, earlier in zip(self.read(), before, strict=True)]
        database, redis, commands = (each / len(requests) for each in spent)
        return Cost(sent.measures()["CPU ms"], database, redis, commands)

    def row_bytes(self) -> dict[str, tuple[int, int]]:
        """Bytes of each table with its indexes, without gaps, and its rows."""
        found = {}
        for name, table in TABLES.items():
            self.database.execute(f"VACUUM FULL {table}")
            [(size, count)] = self.database.execute(_ROWS, [table, table]).fetchall()
            found[name] = (size, count)
        return found

    def redis_bytes(self) -> float:
        return self._info("memory")["used_memory"]

    def _info(self, section: str) -> dict[str, float]:
        return cast("dict[str, float]", self.redis.info(section))


def _ticks(pid: int) -> int:
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0
    return int(words[11]) + int(words[12])


def loads(here: Site, users: list[User], meter: Meter) -> Iterator[Load]:
    """Name and requests, and what has to happen before they are sent."""
    pairs = direct_messages(here, users)
    yield "login", [login_request() for _ in users], lambda: None
    yield "send", [send_request(one, to, str(uuid4())) for one, to in pairs * 8], lambda: None
    users, pairs = users[:ASKING], pairs[: ASKING // 2]
    notes = [{"title": "Anteckning", "content": _document(NOTE)} for _ in users]
    yield "note", _bodies("/api/notes", "POST", users, notes), lambda: None
    yield "visit", [user.session() for user in users], meter.redis.flushdb
    yield "session", [user.session() for user in users] * 6, lambda: None
    weeks = [user.get(f"/api/schedule?week={week}") for week in WEEKS for user in users]
    yield "schedule, from the school", weeks, lambda: None
    yield "schedule, cached", weeks * 2, lambda: here.replay(weeks)
    beats = [{"status": "online"}] * len(users)
    yield "heartbeat", _bodies("/api/presence", "PATCH", users, beats), lambda: None
    yield "subjects", [user.get("/api/subjects") for user in users[:100]], lambda: None
    both = [(user, place) for user, place in pairs for _ in range(4)]
    paths = {
        "conversations": "/api/conversations",
        "messages": "/api/conversations/{}/messages?limit=50",
        "notifications": "/api/notifications",
        "search": "/api/search?q=meddelande",
    }
    for name, path in paths.items():
        yield name, [Request(path.format(at), cookie=user.cookie) for user, at in both], int


def _bodies(path: str, method: str, users: list[User], bodies: Sequence[object]) -> list[Request]:
    """A request of each of these people."""
    return [
        Request(path, method, user.cookie, json.dumps(body))
        for user, body in zip(users, bodies, strict=True)
    ]


def _document(characters: int) -> object:
    # Other letters each time, or PostgreSQL would compress them to nothing.
    letters = random.choices("aaeeiinnrrssttdlomkgvåäöfpub     ", k=characters)
    text = {"type": "text", "text": "".join(letters)}
    return {"type": "doc", "content": [{"type": "paragraph", "content": [text]}]}


def _feeds_and_watches(here: Site, users: list[User]) -> None:
    """Make and read calendar feeds, and look at the school for the same people."""
    for user in users:
        url = ask(here, user, "POST", "/api/schedule/feed")["url"]
        here.replay([Request("/" + url.partition("//")[2].partition("/")[2])])
        ask(here, user, "PATCH", "/api/notifications/settings", {"watch": True})
    command = [sys.executable, "manage.py", "watch_school", "--seconds", "30"]
    subprocess.run(command, cwd=ROOT, env=here.variables, check=False, stderr=subprocess.DEVNULL)


def measure(here: Site, people: int, rounds: int) -> Measured:
    """Everything that the model needs."""
    meter = Meter(here)
    empty = meter.row_bytes()
    users = log_in(here, people)
    requests = {}
    redis = 0.0
    for name, wanted, before in loads(here, users, meter):
        before()
        if name == "visit":
            redis = meter.redis_bytes()
        requests[name] = meter.cost(wanted)
        if name == "subjects":
            # Session, two weeks, and the subjects of a third of them.
            redis = meter.redis_bytes() - redis
    _feeds_and_watches(here, users[:FEEDS])
    sizes = meter.row_bytes()
    rows = {
        name: (size - empty[name][0]) / max(1, count - empty[name][1])
        for name, (size, count) in sizes.items()
    }
    results = [go() for go in sockets(here, rounds)]
    middle = {name: sorted(result[name] for result in results)[rounds // 2] for name in results[0]}
    return Measured(requests, rows, middle, redis / min(people, ASKING))


@contextmanager
def _site() -> Iterator[Site]:
    with fake_upstream() as fake, site(ROOT, fake, Options()) as here:
        yield replace(here, variables=here.variables | {"WATCH_REQUESTS_PER_MINUTE": "100000"})


def _print_measured(measured: Measured) -> None:
    print_row("request", "web ms", "PostgreSQL ms", "Redis ms", "Redis commands", header=True)
    for name, cost in measured.requests.items():
        numbers = (cost.web, cost.database, cost.redis, cost.commands)
        print_row(name, *(f"{number:.2f}" for number in numbers))
    print()
    print_row("row", "bytes with indexes", header=True)
    for name, size in measured.rows.items():
        print_row(name, f"{size:.0f}")
    print()
    print_row("of a socket", "", header=True)
    for name, value in measured.socket.items():
        print_row(name, f"{value:.2f}")
    print_row("Redis, bytes of a person who is reading", f"{measured.redis_bytes:.0f}")
    print()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.capacity",
        description=__doc__,
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--pupils", type=int, nargs="+", default=SIZES)
    parser.add_argument("--people", type=int, default=PEOPLE, help="who are measured")
    parser.add_argument("--rounds", type=int, default=3, help="of the sockets")
    for one in fields(Assumptions):
        name = f"--{one.name.replace('_', '-')}"
        parser.add_argument(name, type=float, default=one.default, help=one.metadata["help"])
    return parser.parse_args()


def main() -> None:
    """Print what was measured, then what it makes for each number of pupils."""
    chosen = vars(_options())
    assumed = Assumptions(**{one.name: chosen[one.name] for one in fields(Assumptions)})
    with _site() as here:
        measured = measure(here, chosen["people"], chosen["rounds"])
    _print_measured(measured)
    columns = {count: capacity(count, measured, assumed) for count in chosen["pupils"]}
    print_row("pupils", *(f"{count:,}" for count in columns), header=True)
    for name in next(iter(columns.values())):
        values = [column[name] for column in columns.values()]
        print_row(name, *(v if isinstance(v, str) else _number(v) for v in values))


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


if __name__ == "__main__":
    sys.exit(run(main))
