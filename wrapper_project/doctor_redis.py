"""What `manage.py doctor` says of Redis, of its replica and of the Sentinels."""

import socket
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from wrapper_project.doctor_findings import Finding, Findings, fail, ok, warn
from wrapper_project.doctor_machine import judge_clock
from wrapper_project.replication import is_standby_expected

SECONDS = 2.0
SENTINEL_PORT = 26379
LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def check_redis() -> Findings:
    """Reachable, writable, without eviction, with the same time, and followed by a replica."""
    if not settings.REDIS_URL:
        yield ok("not set: one process keeps sessions, limits and events.")
        return
    try:
        with _client(settings.REDIS_URL) as client:
            memory, now = client.info("memory"), client.time()
            replication = client.info("replication")
            accepts_writes = _accepts_writes(client)
    except (redis.RedisError, ValueError) as error:
        # Not the message, which may have the password.
        yield fail(f"it cannot be used ({type(error).__name__}).", _why_unusable())
        return
    if replication.get("role") != "master":
        hint = "REDIS_URL has to follow the primary: see HAProxy in docs/failover.md."
        yield fail("it is a replica and accepts no writes.", hint)
    elif is_standby_expected():
        yield judge_replicas(replication)
    if not accepts_writes:
        hint = 'Make room there, and see its log; or set `save ""`: nothing in it has to survive.'
        yield fail("it cannot save to its disk, and therefore accepts no writes.", hint)
    if (policy := memory.get("maxmemory_policy")) == "noeviction":
        yield ok("reachable, and maxmemory-policy is noeviction.")
    else:
        yield fail(f"maxmemory-policy is {policy}: limits get lost.", "Set it to noeviction.")
    yield judge_clock(now[0] + now[1] / 1_000_000)


def _accepts_writes(client: Any) -> bool:
    """A Redis that could not save refuses a ping, too."""
    try:
        client.ping()
    except redis.ResponseError as error:
        return not str(error).startswith("MISCONF")
    return True


def judge_replicas(replication: dict[str, Any]) -> Finding:
    """The finding about `INFO replication` of a primary that has to have a replica."""
    replicas = [replica for replica in replication.values() if isinstance(replica, dict)]
    if online := sum(replica.get("state") == "online" for replica in replicas):
        return ok(f"{online} replicas follow it.")
    hint = "Start redis-server on the other machine, and see its log. Nobody could replace it now."
    return fail("no replica follows it.", hint)


def check_sentinels() -> Findings:
    """Whether the Sentinels can promote a replica. Asks the one on this machine, where REDIS_URL
    leads to HAProxy."""
    url = urlsplit(settings.REDIS_URL)
    if not is_standby_expected() or url.hostname not in LOOPBACK:
        return
    # A Sentinel has no password of Redis, and no databases.
    address = url._replace(netloc=f"{url.hostname}:{SENTINEL_PORT}", path="").geturl()
    try:
        with _client(address) as sentinel:
            for name, state in sentinel.sentinel_masters().items():
                yield _judge_quorum(sentinel, name, known=state["num-other-sentinels"] + 1)
                if "down" in state["flags"]:
                    text = f"they cannot reach the primary, {state['ip']}:{state['port']}."
                    yield fail(
                        text, "Start Redis there, or two Sentinels, which promote a replica."
                    )
    except (redis.RedisError, ValueError) as error:
        text = f"none answers on this machine, port {SENTINEL_PORT} ({type(error).__name__})."
        yield fail(text, "Start redis-sentinel, and see its log and its certificate.")


def _judge_quorum(sentinel: Any, name: str, *, known: int) -> Finding:
    hint = "Start redis-sentinel on each machine; port 26379 has to be open between them."
    try:
        answer = str(sentinel.execute_command("SENTINEL", "CKQUORUM", name))
    except redis.ResponseError:
        return fail(f"too few of {known} can be reached to promote a replica.", hint)
    # OK 3 usable Sentinels. …
    usable = int(answer.split()[1])
    if usable < known:
        return warn(f"{usable} of {known} can be reached.", hint)
    return ok(f"{usable} of {known} can be reached.")


def _client(url: str) -> Any:
    return redis.Redis.from_url(
        url,
        socket_timeout=SECONDS,
        socket_connect_timeout=SECONDS,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
    )


def _why_unusable() -> str:
    """What to do: HAProxy accepts connections without a primary, too."""
    parts = urlsplit(settings.REDIS_URL)
    with suppress(OSError, ValueError):
        address = (parts.hostname or "localhost", parts.port or 6379)
        socket.create_connection(address, timeout=SECONDS).close()
        return (
            "Something listens there. HAProxy without a primary? See `journalctl -u haproxy -u "
            "redis-sentinel`; else check the password and the certificate of REDIS_URL."
        )
    return "Check REDIS_URL and the log of Redis, or of HAProxy if it leads there."
