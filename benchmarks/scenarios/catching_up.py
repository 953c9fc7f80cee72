"""The cost of /api/sync beside that of the list of conversations."""

import json
from collections.abc import Iterator

import psycopg

from benchmarks.bench import Bench
from benchmarks.closed_loop import Request
from benchmarks.conversations import ask
from benchmarks.results import Figure
from benchmarks.scenarios.long_conversations import REPEATS, make_conversation, p50

MANY, CHANGED = 200, 5
# It may cost this many times a page of the list.
AIM = 2.0


def catching_up(bench: Bench) -> Iterator[Figure]:
    """A client that knows 200 conversations asks what is new, and 5 have a new message."""
    if not bench.service.database_url:
        bench.remark("conversations are made in PostgreSQL only")
        return
    (user,) = bench.users(1)
    with psycopg.connect(bench.service.database_url, autocommit=True) as connection:
        for _ in range(MANY):
            make_conversation(connection, user, 10)
        connection.execute("VACUUM ANALYZE")
    known: dict[str, int] = {}
    cursor: str | None = ""
    while cursor is not None:
        page = ask(bench.service.port, user, "GET", f"/api/conversations?limit=100&cursor={cursor}")
        known |= {each["id"]: each["revision"] for each in page["conversations"]}
        cursor = page["next"]
    for key in list(known)[:CHANGED]:
        known[key] -= 1
    body = json.dumps({"conversations": known})
    sync = Request("/api/sync", method="POST", cookie=user.cookie, body=body, expect="success")
    ours = p50(bench, [sync] * REPEATS)
    listed = p50(
        bench, [Request("/api/conversations", cookie=user.cookie, expect="success")] * REPEATS
    )
    note = f"{ours:.2f} ms after {listed:.2f} ms"
    row = f"what changed in {CHANGED} of {MANY} conversations, over a page of the list"
    yield Figure(row, ours / listed, "times", AIM, note=note)
