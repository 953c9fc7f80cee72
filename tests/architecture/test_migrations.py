"""Servers of the version before write to a database that is already migrated."""

from collections.abc import Iterable, Iterator

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

from tests.architecture.sources import APPS

# Written before two versions ran beside each other.
BEFORE = {
    ("accounts", "0002_people"),
    ("accounts", "0009_suspension"),
    ("notes", "0002_note_document"),
    ("social", "0006_cases"),
}


def _flat(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Those that change the database."""
    for operation in operations:
        if isinstance(operation, migrations.SeparateDatabaseAndState):
            yield from _flat(operation.database_operations)
        else:
            yield operation


def breaks_the_version_before(migration: migrations.Migration) -> list[str]:
    """The columns that an INSERT without them fails on, and the names that are gone."""
    operations = list(_flat(migration.operations))
    new = {o.name.lower() for o in operations if isinstance(o, migrations.CreateModel)}
    broken = []
    for operation in operations:
        if isinstance(operation, migrations.RenameField | migrations.RenameModel):
            broken.append(operation.describe())
        elif isinstance(operation, migrations.AddField):
            field = operation.field
            may_be_left_out = field.null or field.has_db_default() or field.many_to_many
            if not may_be_left_out and operation.model_name.lower() not in new:
                broken.append(f"{operation.model_name}.{operation.name}")
    return broken


def test_the_version_before_can_still_insert() -> None:
    loader = MigrationLoader(None)
    assert set(loader.disk_migrations) > BEFORE
    broken = {
        name: breaks_the_version_before(migration)
        for name, migration in loader.disk_migrations.items()
        if name[0] in {app.split("/")[0] for app in APPS} and name not in BEFORE
    }
    assert {name: columns for name, columns in broken.items() if columns} == {}


@pytest.mark.parametrize(
    ("operation", "broken"),
    [
        (migrations.AddField("note", "size", models.IntegerField(default=0)), ["note.size"]),
        (migrations.AddField("note", "size", models.IntegerField(null=True)), []),
        (migrations.AddField("note", "size", models.IntegerField(default=0, db_default=0)), []),
        (migrations.RenameField("note", "size", "bytes"), ["Rename field size on note to bytes"]),
    ],
)
def test_a_column_that_breaks_it_is_seen(operation: Operation, broken: list[str]) -> None:
    migration = type("Migration", (migrations.Migration,), {"operations": [operation]})
    assert breaks_the_version_before(migration("0099_size", "notes")) == broken
