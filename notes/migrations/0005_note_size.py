from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BYTES = {"postgresql": "octet_length({})", "sqlite": "length(CAST({} AS BLOB))"}


def measure(_apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Set the size of the notes that are there."""
    count = BYTES[schema_editor.connection.vendor]
    size = " + ".join(count.format(column) for column in ("title", "content", "document"))
    schema_editor.execute(f"UPDATE notes_note SET size = {size}")  # noqa: S608


class Migration(migrations.Migration):
    dependencies = [("notes", "0004_labels")]

    operations = [
        migrations.AddField(
            model_name="note", name="size", field=models.IntegerField(db_default=0, default=0)
        ),
        migrations.RunPython(measure, migrations.RunPython.noop),
    ]
