"""How variables of the environment are read."""

from pathlib import Path

import pytest

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
