from typing import Any

import orjson
from django.db import migrations, models

from accounts.name_comparison import normalize_for_search
from notes.richtext.plain_text import plain_text

AT_ONCE = 20


def fill(apps: Any, schema_editor: Any) -> None:
    """Let the notes that are there be found."""
    notes = apps.get_model("notes", "Note").objects.using(schema_editor.connection.alias)
    for note in notes.filter(search_key="").iterator(chunk_size=AT_ONCE):
        text = note.content
        if note.is_document:
            text = plain_text(orjson.loads(note.document or note.content))
        note.search_key = normalize_for_search(f"{note.title}\n{text}")
        note.save(update_fields=["search_key"])


class Migration(migrations.Migration):
    dependencies = [("notes", "0006_ended_links")]

    operations = [
        migrations.AddField(
            model_name="note",
            name="search_key",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
