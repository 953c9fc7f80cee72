"""What measured costs make for a number of pupils. Nothing here is measured: it multiplies."""

from collections.abc import Mapping
from dataclasses import dataclass, field

# Requests of one visit (somebody opens the app, looks, and puts it away), by the names of
# `capacity.LOADS`. "visit" is the first one, for which the school says whose session it is.
VISIT = {
    "visit": 1.0,
    "session": 2.0,
    "conversations": 1.0,
    "messages": 1.0,
    "notifications": 1.0,
    "search": 0.05,
}
# Rows that a pupil has after a year, besides messages; by the names of `capacity.TABLES`.
ROWS = {
    "account": 1.0,
    "profile": 1.0,
    "session": 2.0,
    "conversation": 15.0,
    "membership": 35.0,
    "notification": 100.0,  # kept for 30 days, at most 500
    "note": 30.0,
    "feed": 0.2,
    "watch": 0.3,
}
CALLS = {"visit": 1, "schedule, from the school": 1, "subjects": 37, "login": 4}


@dataclass(frozen=True)
class Cost:
    """Of one request: CPU milliseconds of web server, PostgreSQL and Redis; commands of Redis."""

    web: float
    database: float
    redis: float
    commands: float


@dataclass(frozen=True)
class Measured:
    """`rows`: bytes with indexes. `socket`: KiB and CPU milliseconds by name."""

    requests: Mapping[str, Cost]
    rows: Mapping[str, float]
    socket: Mapping[str, float]
    redis_bytes: float


@dataclass(frozen=True)
class Assumptions:
    """What nobody has measured. Each is an argument of the command."""

    visits: float = field(default=8.0, metadata={"help": "visits of a pupil on a school day"})
    schedules: float = field(default=1.5, metadata={"help": "school reads in a visit"})
    cached: float = field(default=0.5, metadata={"help": "share of these that is in the cache"})
    subjects: float = field(default=0.1, metadata={"help": "lists of subjects in a visit"})
    logins: float = field(default=0.01, metadata={"help": "sign-ins in a visit"})
    messages: float = field(default=15.0, metadata={"help": "messages of a pupil on a school day"})
    readers: float = field(default=3.0, metadata={"help": "open sockets that get a message"})
    peak: float = field(default=0.01, metadata={"help": "share of a day in its busiest minute"})
    online: float = field(default=0.25, metadata={"help": "share of pupils with an open socket"})
    days: float = field(default=190.0, metadata={"help": "school days in a year"})
    pictures: float = field(default=20.0, metadata={"help": "KiB of pictures of a pupil"})
    gaps: float = field(default=1.3, metadata={"help": "size of tables with gaps, to without"})
    busy: float = field(default=0.6, metadata={"help": "share of a core that may be used"})
    connections: float = field(default=500.0, metadata={"help": "that PostgreSQL can have"})
    database_cores: float = field(default=32.0, metadata={"help": "of the primary"})


def _rates(pupils: int, assumed: Assumptions) -> dict[str, float]:
    """Requests a second in the busiest minute, by name."""
    visits = pupils * assumed.visits * assumed.peak / 60
    return {name: visits * count for name, count in VISIT.items()} | {
        "schedule, cached": visits * assumed.schedules * assumed.cached,
        "schedule, from the school": visits * assumed.schedules * (1 - assumed.cached),
        "subjects": visits * assumed.subjects,
        "login": visits * assumed.logins,
        "send": pupils * assumed.messages * assumed.peak / 60,
        "note": visits * 0.05,
    }


def capacity(pupils: int, measured: Measured, assumed: Assumptions) -> dict[str, float | str]:
    """The columns of one size of deployment; cores are for the busiest minute."""
    rates = _rates(pupils, assumed)
    cost = measured.requests
    # Milliseconds of a second that are spent.
    web = sum(rate * cost[name].web for name, rate in rates.items())
    # A heartbeat comes by a socket, and costs the stores what it does by HTTP.
    sockets = pupils * assumed.online
    rates["heartbeat"] = sockets / 60
    database = sum(rate * cost[name].database for name, rate in rates.items())
    redis = sum(rate * cost[name].redis for name, rate in rates.items())
    live = (
        rates["visit"] * measured.socket["opening, CPU ms"]
        + rates["heartbeat"] * measured.socket["heartbeat, CPU ms"]
        + rates["send"] * assumed.readers * measured.socket["delivery, CPU ms"]
    )
    spent = {"web": web, "sockets": live, "PostgreSQL": database, "Redis": redis}
    cores = {name: milliseconds / 1000 / assumed.busy for name, milliseconds in spent.items()}
    processes = max(1, round(cores["web"] + 0.5)) + max(1, round(cores["sockets"] + 0.5))
    rows = sum(ROWS[name] * measured.rows[name] for name in ROWS) + assumed.pictures * 1024
    messages = assumed.messages * assumed.days * measured.rows["message"]
    stored = pupils * assumed.gaps * (rows + messages)
    used = {
        "Redis, which has one core": cores["Redis"],
        "connections of PostgreSQL": 16 * processes / assumed.connections,
        "cores of PostgreSQL": cores["PostgreSQL"] / assumed.database_cores,
    }
    first = max(used, key=used.__getitem__)
    return {
        "requests/s": sum(rates.values()) - rates["heartbeat"],
        "messages/day": pupils * assumed.messages,
        "sockets": sockets,
        "calls to schools/s": sum(rates[name] * count for name, count in CALLS.items()),
        "Redis commands/s": sum(rate * cost[name].commands for name, rate in rates.items()),
        **{f"cores: {name}": value for name, value in cores.items()},
        "sockets, GiB": sockets * measured.socket["memory KiB"] / 1024**2,
        "Redis, GiB": sockets * measured.redis_bytes / 1024**3,
        "database after a year, GiB": stored / 1024**3,
        "first limit": f"{first} ({used[first]:.0%})",
    }
