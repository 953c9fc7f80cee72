from django.db import migrations, models


class Migration(migrations.Migration):
    """The attribute gets the name of its column. No table changes, so both versions can run."""

    dependencies = [("social", "0014_presence")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("membership", "not_counted", "own_unread"),
                migrations.AlterField("membership", "own_unread", models.IntegerField(default=0)),
            ]
        )
    ]
