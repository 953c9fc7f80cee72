"""The list of careless changes fits the code, so that `make mutants` can make them."""

import ast
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT
from tests.mutants.__main__ import is_noticed
from tests.mutants.changes import CHANGES, Change

by_name = pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)


@by_name
def test_the_text_is_in_its_file_once(change: Change) -> None:
    text = (ROOT / change.file).read_text()
    assert text.count(change.before) == 1
    assert change.before != change.after
    ast.parse(text.replace(change.before, change.after))  # it would only fail to import


@by_name
def test_the_tests_are_there(change: Change) -> None:
    assert change.tests
    assert [test for test in change.tests if not (ROOT / test).is_file()] == []


def test_no_change_is_listed_twice() -> None:
    names = [change.name for change in CHANGES]
    assert sorted(set(names)) == sorted(names)
    assert len({(change.file, change.before) for change in CHANGES}) == len(CHANGES)


def test_only_a_failed_test_counts_as_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DJANGO_SETTINGS_MODULE", raising=False)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # faster
    code = "LIMIT = 5\nNAME = 'a'\n"
    (tmp_path / "limits.py").write_text(code)
    (tmp_path / "test_limits.py").write_text(
        "from limits import LIMIT, NAME\n\n\ndef test_it():\n    assert LIMIT == 5\n"
    )
    noticed = {
        change: is_noticed(tmp_path, Change("x", "limits.py", *change, ("test_limits.py",)))
        for change in [("5", "6"), ("'a'", "'b'"), ("LIMIT", "LIMITS")]
    }
    assert list(noticed.values()) == [True, False, False]
    assert (tmp_path / "limits.py").read_text() == code
