from django.db import migrations, models


class Migration(migrations.Migration):
    """The column keeps its name, so that the previous version can run on it."""

    dependencies = [("social", "0007_labels")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("membership", "own_unread", "not_counted"),
                migrations.AlterField(
                    "membership",
                    "not_counted",
                    models.IntegerField(db_column="own_unread", default=0),
                ),
            ]
        )
    ]
