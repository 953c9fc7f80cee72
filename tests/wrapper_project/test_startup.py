"""How variables of the environment are read."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from wrapper_project.environment import Environment


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEB_PORT", "")
    assert Environment().int("WEB_PORT", 8000) == 8000


def test_a_secret_comes_from_a_file_without_its_line_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "key").write_text("from the file\n")
    monkeypatch.setenv("A_KEY_FILE", str(tmp_path / "key"))
    assert Environment().str("A_KEY") == "from the file"


def test_blanks_between_the_values_of_a_list_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", "a.example, b.example ,")
    assert Environment().list("ALLOWED_HOSTS") == ["a.example", "b.example"]


@pytest.mark.parametrize(
    ("read", "value", "reason"),
    [
        (lambda env: env.int("X", 1), "abc", "X has an invalid value."),
        (lambda env: env.number("X", 1), "0", "X must be at least 1."),
        (lambda env: env.number("X", 30, least=0, most=30), "31", "X must be from 0 to 30."),
        (lambda env: env.number("X", 30, least=0, most=30), "-1", "X must be from 0 to 30."),
        (lambda env: env.choice("X", "all", ("all", "school")), "canary", "one of all, school."),
        (lambda env: env.fernet_keys("X"), f"{'A' * 43}=,canary", "X: key 2 is not 32 bytes"),
        (lambda env: env.networks("X"), "10.0.0.0/8, proxy.example", "X: 'proxy.example' is not"),
    ],
)
def test_a_variable_that_cannot_be_is_refused_by_name(
    read: Callable[[Environment], Any], value: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match=re.escape(reason)) as refused:
        read(Environment())
    assert "canary" not in str(refused.value)


def test_what_is_not_set_has_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "info")
    assert Environment().choice("LOG_LEVEL", "ERROR", ("INFO", "ERROR")) == "INFO"
    assert Environment().choice("NOT_SET", "all", ("all", "school")) == "all"
    assert Environment().number("NOT_SET", 0, least=0) == 0
    assert Environment().networks("NOT_SET", "::1/128") == ["::1/128"]
