from typing import Any

from django.db import migrations, models

from accounts.name_comparison import normalize_for_search

CARD_TEXTS = ("title", "assignmentTitle", "subjectName", "grade", "fullContent")
AT_ONCE = 1_000


def fill(apps: Any, schema_editor: Any) -> None:
    """Let the messages that are there be found."""
    messages = apps.get_model("social", "Message").objects.using(schema_editor.connection.alias)
    rows = messages.filter(conversation__encryption="none", deleted_at=None, search_key="")
    after = 0
    while batch := list(rows.filter(pk__gt=after).order_by("pk")[:AT_ONCE]):
        for message in batch:
            message.search_key = normalize_for_search(_shown_text(message))
        messages.bulk_update(batch, ["search_key"])
        after = batch[-1].pk


def _shown_text(message: Any) -> str:
    """As `Message.shown_text`."""
    card = message.share_card or {}
    texts = [card.get(name) for name in CARD_TEXTS]
    texts.append(None if card.get("fullContent") else card.get("preview"))
    return "\n".join(filter(None, [message.content, *texts]))


class Migration(migrations.Migration):
    """Messages that a server of the version before takes during an upgrade are not found."""

    dependencies = [("social", "0017_case_taken_by")]

    operations = [
        migrations.AddField(
            model_name="message",
            name="search_key",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
