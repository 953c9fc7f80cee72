"""The doctor says what is wrong with the replica of Redis and with the Sentinels."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
from django.db import connection
from pytest_django.fixtures import Settings

from tests import redis_server
from tests.concurrency import wait_until
from tests.notifications.certificates import make_certificates
from tests.ports import free_port
from tests.wrapper_project.test_doctor import said
from wrapper_project import doctor_redis

SENTINEL = """
port {port}
bind 127.0.0.1
dir {folder}
sentinel monitor wrapper 127.0.0.1 {primary} 1
sentinel down-after-milliseconds wrapper 500
"""


@pytest.fixture
def several_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "a.example,b.example")


@contextmanager
def sentinel(folder: Path, primary: str, port: int) -> Iterator[Any]:
    conf = folder / "sentinel.conf"
    text = SENTINEL.format(port=port, folder=folder, primary=urlsplit(primary).port)
    conf.write_text(text, encoding="utf-8")
    process = subprocess.Popen(["redis-server", str(conf), "--sentinel"], stdout=subprocess.DEVNULL)
    try:
        with redis.Redis(port=port) as client:
            wait_until(lambda: _answers(client), seconds=30)
            yield client
    finally:
        process.kill()
        process.wait()


def _answers(client: Any) -> bool:
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False


def test_a_primary_without_a_replica_is_reported(
    settings: Settings, several_machines: None
) -> None:
    with redis_server.running() as url, redis_server.running() as other:
        settings.REDIS_URL = url
        assert "no replica follows it" in said("redis", "fail")
        with redis.Redis.from_url(other) as client:
            client.config_set("repl-diskless-load", "on-empty-db")  # or it writes dump.rdb here
            client.replicaof("127.0.0.1", str(urlsplit(url).port))
        wait_until(lambda: "1 replicas follow it" in said("redis", "ok"), seconds=30)
        assert said("redis", "fail") == ""


def test_a_redis_that_cannot_save_is_reported(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    monkeypatch.chdir(disk)  # where it would save
    with redis_server.running() as url, redis.Redis.from_url(url) as client:
        monkeypatch.undo()
        settings.REDIS_URL = url
        client.config_set("save", "3600 1")
        assert said("redis", "fail") == ""
        disk.rmdir()  # as a full one, it takes no file
        client.bgsave()
        wait_until(lambda: "cannot save to its disk" in said("redis", "fail"), seconds=30)
        assert "reachable" in said("redis", "ok")


def test_one_machine_needs_no_replica_and_no_sentinel(settings: Settings) -> None:
    with redis_server.running() as url:
        settings.REDIS_URL = url
        assert said("redis", "fail") + said("sentinels", "fail") == ""


def test_sentinels_that_cannot_promote_are_reported(
    tmp_path: Path, settings: Settings, several_machines: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    monkeypatch.setattr(doctor_redis, "SENTINEL_PORT", port)
    with redis_server.running() as url:
        # A Sentinel takes neither the password of Redis nor the number of a database.
        settings.REDIS_URL = url.replace("//", "//:word@").replace("/0", "/3")
        text = said("sentinels", "fail")
        assert f"none answers on this machine, port {port} (ConnectionError)" in text
        with sentinel(tmp_path, url, port) as client:
            assert "1 of 1 can be reached" in said("sentinels", "ok")
            client.execute_command("SENTINEL", "SET", "wrapper", "quorum", "2")
            assert "too few of 1 can be reached" in said("sentinels", "fail")
            with redis.Redis.from_url(url) as primary:
                primary.shutdown(nosave=True)
            words = f"they cannot reach the primary, 127.0.0.1:{urlsplit(url).port}"
            wait_until(lambda: words in said("sentinels", "fail"), seconds=30)


@pytest.mark.parametrize(
    ("days", "state", "words"),
    [
        (90, "ok", "answers."),
        (9.5, "warn", "ends in 9 days."),
        (-1, "fail", "is refused: certificate has expired."),
    ],
)
def test_the_certificate_of_redis_is_looked_at(
    tmp_path: Path, settings: Settings, days: float, state: str, words: str
) -> None:
    made = make_certificates(tmp_path, end=datetime.now(UTC) + timedelta(days=days))
    with redis_server.running(made) as url:
        settings.REDIS_URL = f"{url}?ssl_ca_certs={made.authority}"
        assert f"Redis at localhost:{urlsplit(url).port}" in said("hosts", state)
        assert words in said("hosts", state)
