"""Redis: does it answer, does it keep what has no end yet, does it pass events on."""

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

from wrapper_project.doctor.findings import Finding, fail, ok, warn

NAME = "redis"
TIMEOUT_SECONDS = 2.0
OLDEST = (6, 2)  # GETDEL: a login attempt is taken by exactly one
FULL = 0.8


class Away(Exception):
    """Redis cannot be asked; the text is ours."""


@contextmanager
def own_client() -> Iterator[Any]:
    """A client that asks once and not for long. Raises: Away."""
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
        raise Away("the name or the password is refused, or it wants one") from None
    except redis.TimeoutError:
        raise Away("it does not answer in time") from None
    except redis.ConnectionError:
        raise Away("nothing listens there, or the host's name is not known") from None
    except redis.RedisError as error:
        raise Away(f"it refuses: {type(error).__name__}") from None
    except ValueError:
        raise Away("the address is not of the right form") from None
    finally:
        if client is not None:
            client.close()


def place() -> str:
    """Host, port and number; never the password."""
    try:
        url = urlsplit(settings.REDIS_URL)
        return f"{url.hostname or 'local'}:{url.port or 6379}/{url.path.strip('/') or 0}"
    except ValueError:
        return "REDIS_URL"


def check() -> Iterator[Finding]:
    """Reachable, version, policy, memory, publishing."""
    if not settings.REDIS_URL:
        yield ok(NAME, "none: sessions, limits and events stay in the one process there may be.")
        return
    try:
        with own_client() as client:
            yield from _server(client.info())
            yield from _passes_on(client)
    except Away as away:
        yield fail(NAME, f"{place()}: {away}.", "REDIS_URL, and Redis' own log.")


def _server(info: dict[str, Any]) -> Iterator[Finding]:
    version = str(info.get("redis_version", "0.0"))
    major, minor = (int(part) for part in version.split(".")[:2])
    if (major, minor) < OLDEST:
        yield fail(NAME, f"Redis {version}, {place()}.", "6.2 or later: it lacks GETDEL.")
    else:
        yield ok(NAME, f"Redis {version}, {place()}.")
    policy = info.get("maxmemory_policy")
    if policy == "noeviction":
        yield ok(NAME, "maxmemory-policy is noeviction.")
    else:
        hint = "`CONFIG SET maxmemory-policy noeviction`, and in redis.conf: limits would vanish."
        yield fail(NAME, f"maxmemory-policy is {policy}.", hint)
    used, most = info.get("used_memory", 0), info.get("maxmemory", 0)
    if most and used > FULL * most:
        hint = "Raise maxmemory: full, it refuses writes, and nobody can log in."
        yield warn(NAME, f"{used * 100 // most} % of its memory is taken.", hint)


def _passes_on(client: Any) -> Iterator[Finding]:
    channel, word = f"wrapper:doctor:{secrets.token_hex(8)}", secrets.token_hex(8)
    with client.pubsub(ignore_subscribe_messages=True) as listener:
        listener.subscribe(channel)
        listener.get_message(timeout=TIMEOUT_SECONDS)
        began = time.monotonic()
        client.publish(channel, word)
        while (left := began + TIMEOUT_SECONDS - time.monotonic()) > 0:
            heard = listener.get_message(timeout=left)
            if heard and heard["data"] == word.encode():
                yield ok(NAME, f"what is published is heard ({_ms(began)} ms).")
                return
    yield fail(NAME, "what is published is not heard.", "An ACL, or a proxy without PUBLISH?")


def _ms(began: float) -> str:
    return f"{(time.monotonic() - began) * 1000:.1f}"
