from django.db import migrations


class Migration(migrations.Migration):
    """The store counts the requests of looks. The table stays in the database, because a look of
    the version before may still use it; a later version drops it."""

    dependencies = [("schoolproxy", "0004_encrypted_columns")]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("WatchSlot")]),
    ]
