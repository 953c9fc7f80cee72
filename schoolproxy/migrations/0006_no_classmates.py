from typing import Any

from django.db import migrations, models


def forget_groups(apps: Any, schema_editor: Any) -> None:
    watches = apps.get_model("schoolproxy", "Watch").objects.using(schema_editor.connection.alias)
    watches.update(group_hash="")


class Migration(migrations.Migration):
    """Nobody is looked at sooner because of a classmate. The columns stay in the database, because
    the version before still writes them; a later version drops them."""

    dependencies = [("schoolproxy", "0005_no_watch_slots")]

    operations = [
        migrations.AlterField(
            "watch", "urgent", models.BooleanField(default=False, db_default=False)
        ),
        migrations.AlterField(
            "watch",
            "group_hash",
            models.CharField(max_length=64, blank=True, db_default="", db_index=True),
        ),
        migrations.RunPython(forget_groups, migrations.RunPython.noop, elidable=True),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("watch", "urgent"),
                migrations.RemoveField("watch", "group_hash"),
            ]
        ),
    ]
