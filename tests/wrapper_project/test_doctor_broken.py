"""What the doctor says about broken set-ups, one line each."""

import os
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings as django_settings
from pytest_django.fixtures import Settings

from tests.architecture.test_docs import every_variable
from wrapper_project.doctor import CHECKS, variables
from wrapper_project.environment import Environment
from wrapper_project.servers import store_checks

SOUND = {
    "PUBLIC_URL": "https://school.example",
    "ALLOWED_HOSTS": ["school.example", "127.0.0.1", "[::1]", ".school.example"],
    "TRUSTED_PROXIES": ["10.0.0.0/8", "127.0.0.1", "fc00::/7"],
    "METRICS_ALLOWED": ["192.168.0.0/16"],
    "METRICS": True,
    "UPSTREAM_URL": "https://upstream.example",
    "ALLOW_INSECURE_UPSTREAM": False,
}
# (settings, check, state, what it says). What keeps a server from starting is in test_checks.py.
BROKEN: list[tuple[dict[str, Any], str, str, str]] = [
    ({"SECRET_KEY": "short"}, "settings", "fail", "SECRET_KEY is shorter"),
    ({"DEBUG": True}, "settings", "warn", "DEBUG is on"),
    ({"FIELD_ENCRYPTION_KEYS": ["x"]}, "keys", "fail", "contains an invalid key"),
    ({"ALLOWED_HOSTS": ["other.example"]}, "addresses", "fail", "is not in ALLOWED_HOSTS"),
    ({"ALLOWED_HOSTS": ["localhost"]}, "addresses", "warn", "only this machine"),
    ({"PUBLIC_URL": ""}, "addresses", "warn", "PUBLIC_URL is not set"),
    ({"PUBLIC_URL": "http://school.example"}, "addresses", "warn", "PUBLIC_URL is plain http"),
    ({"TRUSTED_PROXIES": []}, "addresses", "warn", "TRUSTED_PROXIES is empty"),
    ({"TRUSTED_PROXIES": ["0.0.0.0/0"]}, "addresses", "fail", "TRUSTED_PROXIES trusts everyone"),
    ({"METRICS_ALLOWED": ["0.0.0.0/0"]}, "addresses", "fail", "to everyone (0.0.0.0/0)"),
    ({"METRICS_ALLOWED": ["::/0"]}, "addresses", "fail", "to everyone (::/0)"),
    ({"METRICS_ALLOWED": ["128.0.0.0/1"]}, "addresses", "fail", "to everyone (128.0.0.0/1)"),
    (
        {"METRICS_ALLOWED": ["0.0.0.0/0"], "METRICS": False},
        "addresses",
        "warn",
        "would show them to everyone",
    ),
    ({"DATA_DIR": Path("/nowhere"), "REDIS_URL": ""}, "files", "fail", "does not exist"),
    ({"UPSTREAM_PER_REQUEST": 100}, "workers", "warn", "UPSTREAM_PER_REQUEST is more"),
    ({"UPSTREAM_MAX_IN_FLIGHT": 16}, "workers", "warn", "wait for each other"),
    ({"WEB_WORKERS": 1000}, "workers", "warn", "WEB_WORKERS is 1000 on "),
]


def said(check: str, state: str) -> str:
    return "\n".join(f"{one.what} {one.hint}" for one in CHECKS[check]() if one.state == state)


@pytest.fixture
def sound(settings: Settings, db: None) -> Settings:
    for name, value in SOUND.items():
        setattr(settings, name, value)
    return settings


def test_it_finds_nothing_where_nothing_is_broken(sound: Settings) -> None:
    for check in ("settings", "addresses", "variables"):
        assert said(check, "fail") == ""
    assert "are set" in said("addresses", "ok")


@pytest.mark.parametrize(
    ("changes", "check", "state", "words"), BROKEN, ids=[f"{line[0]}" for line in BROKEN]
)
def test_it_names_what_is_broken(
    sound: Settings, changes: dict[str, Any], check: str, state: str, words: str
) -> None:
    for name, value in changes.items():
        setattr(sound, name, value)
    assert words in said(check, state)


@pytest.mark.parametrize(
    ("misspelt", "right"),
    [
        ("REDIS_UL", "REDIS_URL"),
        ("REIDS_URL", "REDIS_URL"),
        ("redis_url", "REDIS_URL"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("RETENTION_MONTH", "RETENTION_MONTHS"),
        ("ALLOWED_HOST", "ALLOWED_HOSTS"),
        ("TRUSTED_PROXYS", "TRUSTED_PROXIES"),
        ("SECRET_KEYS", "SECRET_KEY"),
        ("REDIS_UL_FILE", "REDIS_URL_FILE"),
        ("WEB_PORTS", "WEB_PORT"),
    ],
)
def test_it_names_a_misspelt_variable(
    monkeypatch: pytest.MonkeyPatch, misspelt: str, right: str
) -> None:
    monkeypatch.delenv(right, raising=False)
    monkeypatch.setenv(misspelt, "canary")
    found = said("variables", "fail")
    assert f"nothing reads {misspelt}, and {right} is not set" in found
    assert "canary" not in found
    monkeypatch.setenv(right, "x")
    assert f"nothing reads {misspelt}" in said("variables", "warn")


@pytest.mark.parametrize(
    "name",
    [
        *("PATH", "HOME", "HOST", "LANG", "TERM", "SHELL", "USER", "PGHOST", "PGPORT", "SITE"),
        *(
            "REDIS_PORT",
            "REDIS_HOST",
            "DB_PORT",
            "HEALTH_PORT",
            "POSTGRES_PASSWORD",
            "XDG_DATA_DIR",
        ),
        *("SECRET_KEY_FILE", "DATABASE_NAME", "LC_ALL", "PYTHONPATH", "APP_PASSWORD", "LOGNAME"),
    ],
)
def test_variables_of_other_programs_are_none_of_ours(name: str) -> None:
    assert variables.right_name(name) is None


def test_it_knows_every_variable() -> None:
    assert Environment.names_read | variables.READ_ELSEWHERE == every_variable()


def test_blanks_between_the_values_of_a_list_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", "a.example, b.example ,")
    assert Environment().list("ALLOWED_HOSTS") == ["a.example", "b.example"]


@pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="needs Redis")
def test_two_deployments_that_share_redis_are_noticed(
    transactional_db: None, sound: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    assert list(store_checks.reasons_to_refuse_start()) == []
    assert list(store_checks.reasons_to_refuse_start()) == []  # another process of the same
    assert "another deployment" not in caplog.text
    assert "no other deployment" in said("redis", "ok")
    sound.SECRET_KEY = "another " + "y" * 50
    assert "another deployment uses it, last started 20" in said("redis", "fail")
    assert list(store_checks.reasons_to_refuse_start()) == []
    assert "another deployment uses this database of Redis" in caplog.text
    with redis.Redis.from_url(django_settings.REDIS_URL) as client:
        client.delete("wrapper:deployments")
    assert "another deployment" not in said("redis", "fail")
