"""Checks Redis: reachable, a supported version, no eviction, memory, publishing."""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from wrapper_project.doctor import database
from wrapper_project.doctor.findings import Finding, fail, ok, warn
from wrapper_project.servers import deployment_identity

TIMEOUT_SECONDS = 2.0
OLDEST = (6, 2)  # for GETDEL: a login attempt is used only once
FULL = 0.8


class Unavailable(Exception):
    """Redis is unavailable; the text is ours."""


@contextmanager
def own_client() -> Iterator[Any]:
    """A client without retries and with short timeouts. Raises: Unavailable."""
    client: Any = None
    try:
        client = redis.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        client.ping()
        yield client
    except redis.AuthenticationError:
        raise Unavailable("the username or password is wrong or missing") from None
    except redis.TimeoutError:
        raise Unavailable("it does not respond in time") from None
    except redis.ConnectionError:
        raise Unavailable("nothing listens there, or the host name is unknown") from None
    except redis.RedisError as error:
        raise Unavailable(f"it responds with {type(error).__name__}") from None
    except ValueError:
        raise Unavailable("the address is invalid") from None
    finally:
        if client is not None:
            client.close()


def location() -> str:
    """Host, port and database number, without the password."""
    try:
        url = urlsplit(settings.REDIS_URL)
        return f"{url.hostname or 'local'}:{url.port or 6379}/{url.path.strip('/') or 0}"
    except ValueError:
        return "REDIS_URL"


def check() -> Iterator[Finding]:
    if not settings.REDIS_URL:
        yield ok("not set: sessions, limits and events are kept in one process.")
        return
    try:
        with own_client() as client:
            yield from _server(client.info())
            yield from _publishing(client)
            yield from _deployments(client)
    except Unavailable as error:
        yield fail(f"{location()}: {error}.", "Check REDIS_URL and the log of Redis.")


def _server(info: dict[str, Any]) -> Iterator[Finding]:
    version = str(info.get("redis_version", "0.0"))
    major, minor = (int(part) for part in version.split(".")[:2])
    if (major, minor) < OLDEST:
        hint = "Upgrade to 6.2 or later: this version lacks GETDEL."
        yield fail(f"Redis {version}, {location()}.", hint)
    else:
        yield ok(f"Redis {version}, {location()}.")
    if (policy := info.get("maxmemory_policy")) == "noeviction":
        yield ok("maxmemory-policy is noeviction.")
    else:
        hint = (
            "Run `CONFIG SET maxmemory-policy noeviction`, set it in redis.conf: limits get lost."
        )
        yield fail(f"maxmemory-policy is {policy}.", hint)
    used, most = info.get("used_memory", 0), info.get("maxmemory", 0)
    if most and used > FULL * most:
        hint = "Raise maxmemory: when it is full, it refuses writes and nobody can log in."
        yield warn(f"{used * 100 // most} % of its memory is used.", hint)


def _deployments(client: Any) -> Iterator[Finding]:
    """Whether another deployment uses this database of Redis, too."""
    try:
        with database.own_connection() as own:
            identity = deployment_identity.identity_of(own)
    except database.Unavailable:
        return  # reported by its own check
    others = deployment_identity.last_starts_of_others(client, identity)
    if not others:
        yield ok("no other deployment uses it.")
        return
    hint = (
        "Give each its own number in REDIS_URL. Was it this one, before a change of SECRET_KEY or "
        f"of the database? `redis-cli -n NUMBER del {deployment_identity.KEY}`."
    )
    yield fail(f"another deployment uses it, last started {others[0]:%Y-%m-%d %H:%M} UTC.", hint)


def _publishing(client: Any) -> Iterator[Finding]:
    channel, word = f"wrapper:doctor:{secrets.token_hex(8)}", secrets.token_hex(8)
    with client.pubsub(ignore_subscribe_messages=True) as listener:
        listener.subscribe(channel)
        listener.get_message(timeout=TIMEOUT_SECONDS)
        began = time.monotonic()
        client.publish(channel, word)
        while (left := began + TIMEOUT_SECONDS - time.monotonic()) > 0:
            received = listener.get_message(timeout=left)
            if received and received["data"] == word.encode():
                milliseconds = (time.monotonic() - began) * 1000
                yield ok(f"published messages arrive ({milliseconds:.1f} ms).")
                return
    yield fail("published messages do not arrive.", "Check for an ACL, or a proxy without PUBLISH.")
