"""The data map: every column of every table, its purpose, retention and erasure."""

import re
from pathlib import Path

from django.apps import apps

from accounts.personal_data import Table
from accounts.registry import personal_data

PRIVACY = Path(__file__).resolve().parents[2] / "docs/privacy.md"
OUR_APPS = {"accounts", "staff", "notifications", "schoolproxy", "social", "notes", "stats"}
# About staff: docs/privacy.md says what is stored about them.
OF_STAFF = {"accounts.StaffMember", "accounts.StaffDevice"}


def _tables() -> dict[str, Table]:
    return {table.model: table for part in personal_data() for table in part.tables}


def _columns() -> dict[str, set[str]]:
    return {
        model._meta.label: {field.name for field in model._meta.concrete_fields}
        for model in apps.get_models()
        if model._meta.app_label in OUR_APPS and model._meta.label not in OF_STAFF
    }


def test_every_table_is_in_the_map() -> None:
    assert set(_tables()) == set(_columns())


def test_every_column_is_in_the_map_once() -> None:
    listed = {name: sorted(table.columns) for name, table in _tables().items()}
    assert listed == {name: sorted(columns) for name, columns in _columns().items()}


def test_every_table_has_purpose_retention_and_erasure() -> None:
    for table in _tables().values():
        assert all((table.purpose, table.retention, table.erasure)), table.model
        assert all(table.withheld.values()), table.model


def test_the_privacy_document_has_the_same_tables() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PRIVACY.read_text().splitlines()
        if line.startswith("| `") and line.count("|") == 7
    ]
    written = {row[0].strip("`"): (row[1], row[4], row[5]) for row in rows}
    assert written == {
        name: (table.purpose, table.retention, table.erasure) for name, table in _tables().items()
    }
    named = {row[0].strip("`"): set(re.findall(r"`(\w+)`", row[2])) for row in rows}
    assert named == {name: set(table.personal) for name, table in _tables().items()}
