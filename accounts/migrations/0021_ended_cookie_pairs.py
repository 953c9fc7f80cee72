from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0020_kept_texts"),
    ]

    operations = [
        migrations.CreateModel(
            name="EndedCookiePair",
            fields=[
                ("pair_hash", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("until", models.DateTimeField(db_index=True)),
            ],
        ),
        # The version before, which may run on during an upgrade, purges this table: the release
        # after this one drops it.
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="OutboxCall")]
        ),
    ]
