"""Where something could have been written, and the search for secrets in it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import redis
from django.conf import settings
from django.db import connection

from tests.journeys.visitor import Answer

Secrets = Mapping[str, Set[str]]
NOTHING: frozenset[str] = frozenset()


def spellings(secret: str) -> set[bytes]:
    """The forms in which a text may come to lie somewhere."""
    texts = {secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1]}
    return {text.encode() for text in texts} | {secret.encode("latin-1", "replace")}


def in_text(
    place: str, text: bytes, secrets: Secrets, allowed: Set[str] = NOTHING
) -> Iterator[str]:
    """A line for each kind of secret that the text holds and should not."""
    for kind, values in secrets.items():
        if kind not in allowed and any(
            form in text for value in values for form in spellings(value)
        ):
            yield f"{kind} in {place}"


def in_answers(
    answers: Iterable[Answer], secrets: Secrets, belongs: Mapping[tuple[str, str], Set[str]]
) -> Iterator[str]:
    """Head and body of every answer; only a good one may hold what it hands out."""
    for answer in answers:
        good = answer.status < 300
        allowed = belongs.get((answer.method, answer.path), NOTHING) if good else NOTHING
        place = f"the {answer.status} of {answer.method} {answer.path}"
        yield from in_text(place, answer.text, secrets, allowed)


def in_tables(secrets: Secrets, kept: Mapping[str, Set[str]]) -> Iterator[str]:
    """Every value of every row; on SQLite also the bytes of the file, where deleted rows lie."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        for table in tables:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            text = repr(cursor.fetchall()).encode()
            yield from in_text(f"table {table}", text, secrets, kept.get(table, NOTHING))
    if connection.vendor == "sqlite":
        file = Path(str(connection.settings_dict["NAME"]))
        allowed = set().union(*kept.values())
        for part in file.parent.glob(f"{file.name}*"):
            yield from in_text(part.name, part.read_bytes(), secrets, allowed)


def in_redis(secrets: Secrets) -> Iterator[str]:
    """Every key with its value, whatever its type."""
    if not settings.REDIS_URL:
        return
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        read: dict[bytes, Any] = {
            b"string": client.get,
            b"hash": client.hgetall,
            b"set": client.smembers,
            b"list": lambda key: client.lrange(key, 0, -1),
            b"zset": lambda key: client.zrange(key, 0, -1),
        }
        keys = list(client.scan_iter())
        assert keys, "nothing is in Redis: the search is in the wrong place"
        for key in keys:
            value = read[client.type(key)](key)
            yield from in_text(f"Redis {key!r}", key + repr(value).encode(), secrets)


def in_files(place: Path, secrets: Secrets) -> Iterator[str]:
    """Every file below a folder, the servers' output among them."""
    for path in place.rglob("*"):
        if path.is_file():
            yield from in_text(str(path.relative_to(place)), path.read_bytes(), secrets)


@contextmanager
def without_table(name: str) -> Iterator[None]:
    """The database without this table for the length of the block."""
    quoted = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {quoted(name)} RENAME TO {quoted(name + '_away')}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE {quoted(name + '_away')} RENAME TO {quoted(name)}")
