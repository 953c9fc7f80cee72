"""The cost of a page in long conversations and long lists of conversations."""

import statistics
import uuid
from collections.abc import Iterator

import psycopg

from benchmarks.bench import Bench
from benchmarks.closed_loop import Request
from benchmarks.fake_upstream.answers import username
from benchmarks.results import Figure
from benchmarks.users import User

LONG, SHORT = 1_000_000, 1_000
MANY, FEW = 1_000, 50
REPEATS = 300
# A page of the longer one may cost this many times a page of the shorter one.
FLAT = 1.3

_CONVERSATION = """
INSERT INTO social_conversation (id, type, group_name, group_description, encryption, last_seq,
    revision, info_revision, last_at, created_at)
VALUES (%(id)s, 'group', 'Lång', '', 'none', %(count)s, %(count)s, 0, now(), now())
"""
_MEMBER = """
INSERT INTO social_membership (conversation_id, account_id, joined_seq, joined_at, last_read_seq,
    own_unread)
SELECT %(id)s, id, 0, now(), 0, 0 FROM accounts_account WHERE username = %(name)s
"""
_MESSAGES = """
INSERT INTO social_message (conversation_id, seq, revision, sender_id, sent_hash, content, pinned,
    created_at)
SELECT %(id)s, number, number, account.id, '', 'Meddelande nummer ' || number, false, now()
FROM generate_series(1, %(count)s) number, accounts_account account
WHERE account.username = %(name)s
"""


def growth(bench: Bench) -> Iterator[Figure]:
    """A page of a conversation of a million messages, a list of a thousand conversations."""
    if not bench.service.database_url:
        bench.remark("long conversations are made in PostgreSQL only")
        return
    reader, busy, quiet = bench.users(3)
    with psycopg.connect(bench.service.database_url, autocommit=True) as connection:
        long, short = (_filled(bench, connection, reader, count) for count in (LONG, SHORT))
        for user, count in ((busy, MANY), (quiet, FEW)):
            for _ in range(count):
                make_conversation(connection, user, 1)
        connection.execute("VACUUM ANALYZE")
    pages = {
        "newest": ("", ""),
        "before the middle": (f"?before={LONG // 2}", f"?before={SHORT // 2}"),
        "after the middle": (f"?after={LONG // 2}", f"?after={SHORT // 2}"),
        "changed after the middle": (f"?changedAfter={LONG // 2}", f"?changedAfter={SHORT // 2}"),
    }
    for name, (of_long, of_short) in pages.items():
        slow = _p50(bench, reader, f"/api/conversations/{long}/messages{of_long}")
        fast = _p50(bench, reader, f"/api/conversations/{short}/messages{of_short}")
        note = f"{slow:.2f} ms after {fast:.2f} ms"
        row = f"a page of messages, {name}: of {LONG:,} over of {SHORT:,}"
        yield Figure(row, slow / fast, "times", FLAT, note=note)
    slow, fast = (_p50(bench, user, "/api/conversations") for user in (busy, quiet))
    row = f"a page of conversations: of {MANY:,} over of {FEW}"
    yield Figure(row, slow / fast, "times", FLAT, note=f"{slow:.2f} ms after {fast:.2f} ms")


def _filled(
    bench: Bench, connection: psycopg.Connection[tuple[object, ...]], user: User, count: int
) -> str:
    bench.progress(f"a conversation of {count:,} messages")
    return make_conversation(connection, user, count)


def make_conversation(
    connection: psycopg.Connection[tuple[object, ...]], user: User, count: int
) -> str:
    """Insert a conversation of this user with `count` messages, as sending would."""
    identifier = uuid.uuid4()
    values = {"id": identifier, "count": count, "name": username(user.number)}
    for statement in (_CONVERSATION, _MEMBER, _MESSAGES):
        connection.execute(statement, values)
    return identifier.hex


def _p50(bench: Bench, user: User, path: str) -> float:
    return p50(bench, [Request(path, cookie=user.cookie, expect="success")] * REPEATS)


def p50(bench: Bench, requests: list[Request]) -> float:
    """In milliseconds; the median of three runs, because the machine varies."""
    return statistics.median(bench.replay(requests).p50 for _ in range(3))
