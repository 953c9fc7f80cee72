"""Searches everything that the service writes for secrets."""

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
    """The encodings in which a secret may be written."""
    texts = {secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1]}
    return {text.encode() for text in texts} | {secret.encode("latin-1", "replace")}


def in_text(sink: str, text: bytes, secrets: Secrets, allowed: Set[str] = NOTHING) -> Iterator[str]:
    """A line for each kind of secret that the text contains but must not."""
    for kind, values in secrets.items():
        if kind not in allowed and any(
            form in text for value in values for form in spellings(value)
        ):
            yield f"{kind} in {sink}"


def in_answers(
    answers: Iterable[Answer], secrets: Secrets, belongs: Mapping[tuple[str, str], Set[str]]
) -> Iterator[str]:
    """Search every response; a successful one, or a redirect, may contain the secrets that belong
    to it, and so may what the server itself says of malformed HTTP ("RAW")."""
    for answer in answers:
        good = answer.status < 400 or answer.method == "RAW"
        allowed = belongs.get((answer.method, answer.path), NOTHING) if good else NOTHING
        sink = f"the {answer.status} of {answer.method} {answer.path}"
        yield from in_text(sink, answer.text, secrets, allowed)


def in_tables(secrets: Secrets, kept: Mapping[str, Set[str]]) -> Iterator[str]:
    """Search every row; on SQLite also the file, which contains deleted rows."""
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
    """Search every key and value."""
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
        assert keys, "Redis is empty: this searches the wrong database"
        for key in keys:
            value = read[client.type(key)](key)
            yield from in_text(f"Redis {key!r}", key + repr(value).encode(), secrets)


def in_files(folder: Path, secrets: Secrets) -> Iterator[str]:
    """Search every file in a folder, including the output of the servers."""
    for path in folder.rglob("*"):
        if path.is_file():
            yield from in_text(str(path.relative_to(folder)), path.read_bytes(), secrets)


@contextmanager
def without_table(name: str) -> Iterator[None]:
    """Rename this table, so that queries of it fail."""
    quoted = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {quoted(name)} RENAME TO {quoted(name + '_away')}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE {quoted(name + '_away')} RENAME TO {quoted(name)}")
