from typing import Any

from django.db import migrations
from django.db.models import Exists, OuterRef

from accounts.emoji import fully_qualified


def qualify(apps: Any, schema_editor: Any) -> None:
    """A person who has reacted with both forms of an emoji keeps one."""
    reactions = apps.get_model("social", "Reaction").objects.using(schema_editor.connection.alias)
    for emoji in reactions.values_list("emoji", flat=True).distinct().order_by("emoji"):
        wanted = fully_qualified(emoji)
        if wanted == emoji:
            continue
        both = reactions.filter(
            message=OuterRef("message"), account=OuterRef("account"), emoji=wanted
        )
        reactions.filter(Exists(both), emoji=emoji).delete()
        reactions.filter(emoji=emoji).update(emoji=wanted)


class Migration(migrations.Migration):
    """Only rows change; the version before shows them as before."""

    dependencies = [("social", "0015_own_unread")]

    operations = [migrations.RunPython(qualify, migrations.RunPython.noop, elidable=True)]
