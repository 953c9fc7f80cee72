"""Dangerous and invalid settings are reported at start."""

from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from wrapper_project import checks

KEY = "dGVzdHMtb25seS1rZXktb2YtMzItYnl0ZXMtLS0tLS0="

SAFE: dict[str, Any] = {
    "DEBUG": False,
    "SECRET_KEY": "s" * 50,
    "FIELD_ENCRYPTION_KEYS": [KEY],
    "UPSTREAM_URL": "https://school.example",
    "ALLOW_INSECURE_UPSTREAM": False,
    "UPSTREAM_DIALECT": {"": "specified", "nyvang": "observed"},
    "RATE_LIMITS": True,
    "ALLOW_UNLIMITED": False,
    "LIMITS": {"login": "5/1800"},
    "CORS_ALLOWED_ORIGINS": ["https://app.example", "http://localhost:5173"],
    "PUBLIC_URL": "https://school.example",
    "CONTACT": "help@school.example",
    "ALLOWED_HOSTS": ["school.example"],
    "COOKIE_PREFIX": "wrapper_",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
    "SENTRY_DSN": "https://key@sentry.example/folder/7",
}

# changed settings, a part of the message
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"SECRET_KEY": "short"}, "SECRET_KEY is shorter"),
    ({"CONTACT": "the headmaster"}, "CONTACT must be"),
    ({"CONTACT": "javascript:alert(1)"}, "CONTACT must be"),
    ({"UPSTREAM_URL": ""}, "UPSTREAM_URL must be"),
    ({"UPSTREAM_URL": "ftp://school.example"}, "must be http(s)"),
    ({"UPSTREAM_URL": "https://school.example:port"}, "UPSTREAM_URL must be"),
    ({"SECRET_KEY": KEY}, "must differ"),
    ({"UPSTREAM_URL": "http://school.example"}, "plain http"),
    ({"UPSTREAM_URL": "https://127.0.0.1"}, "this machine"),
    ({"UPSTREAM_URL": "https://[::1]"}, "this machine"),
    ({"UPSTREAM_URL": "https://localhost:8443"}, "this machine"),
    ({"UPSTREAM_URL": "https://u:p@school.example"}, "no user"),
    ({"UPSTREAM_URL": "https://school.example/nyvang"}, "no user"),
    ({"UPSTREAM_URL": "https://school.example?a=b"}, "no user"),
    ({"UPSTREAM_DIALECT": {"": "guessed"}}, "guessed"),
    ({"RATE_LIMITS": False}, "RATE_LIMITS is off"),
    ({"LIMITS": {"": "5/60"}}, "5/60"),
    ({"LIMITS": {"logins": "5/60"}}, "logins"),
    ({"LIMITS": {"login": "5"}}, "count/seconds"),
    ({"LIMITS": {"login": "0/60"}}, "count/seconds"),
    ({"LIMITS": {"login": "-5/60"}}, "count/seconds"),
    ({"CORS_ALLOWED_ORIGINS": ["*"]}, "CORS_ALLOWED_ORIGINS"),
    ({"CORS_ALLOWED_ORIGINS": ["https://app.example/"]}, "CORS_ALLOWED_ORIGINS"),
    ({"CORS_ALLOWED_ORIGINS": ["app.example"]}, "CORS_ALLOWED_ORIGINS"),
    ({"PUBLIC_URL": "https://school.example/api"}, "PUBLIC_URL"),
    ({"ALLOWED_HOSTS": ["*"]}, "ALLOWED_HOSTS contains `*`"),
    ({"COOKIE_PREFIX": "wrap per"}, "COOKIE_PREFIX"),
    ({"COOKIE_PREFIX": ""}, "COOKIE_PREFIX"),
    ({"REDIS_URL": ""}, "REDIS_URL is not set"),
    ({"SENTRY_DSN": "https://sentry.example/7"}, "SENTRY_DSN"),
    ({"SENTRY_DSN": "https://key@sentry.example/"}, "SENTRY_DSN"),
    ({"SENTRY_DSN": "https://key@sentry.example:port/7"}, "SENTRY_DSN"),
    ({"WEB_APP_FILES": Path("/nothing")}, "Run `make webapp`"),
]

ALLOWED: list[dict[str, Any]] = [
    {"UPSTREAM_URL": "http://127.0.0.1:8901", "ALLOW_INSECURE_UPSTREAM": True},
    {"UPSTREAM_URL": "http://127.0.0.1:8901", "DEBUG": True},
    {"RATE_LIMITS": False, "ALLOW_UNLIMITED": True},
    {"RATE_LIMITS": False, "DEBUG": True},
    {"REDIS_URL": "", "DEBUG": True},
    {"WEB_APP": False, "WEB_APP_FILES": Path("/nothing")},
    {"PUBLIC_URL": ""},
]


def _reasons(settings: Settings, changed: dict[str, Any]) -> list[str]:
    for name, value in (SAFE | changed).items():
        setattr(settings, name, value)
    return [str(found.msg) for found in checks.check_settings()]


def test_a_sensible_deployment_starts(settings: Settings) -> None:
    assert _reasons(settings, {}) == []


@pytest.mark.parametrize(("changed", "word"), REFUSED, ids=[word for _, word in REFUSED])
def test_it_refuses(changed: dict[str, Any], word: str, settings: Settings) -> None:
    reasons = _reasons(settings, changed)
    assert any(word in reason for reason in reasons), reasons
    assert all(reason.endswith(".") for reason in reasons)


@pytest.mark.parametrize("changed", ALLOWED, ids=[" ".join(changed) for changed in ALLOWED])
def test_it_allows(changed: dict[str, Any], settings: Settings) -> None:
    assert _reasons(settings, changed) == []


def test_no_reason_shows_a_secret(settings: Settings) -> None:
    changed = {"SECRET_KEY": "canary", "FIELD_ENCRYPTION_KEYS": ["canary"]}
    assert not any("canary" in reason for reason in _reasons(settings, changed))
