from django.db import migrations, models


class Migration(migrations.Migration):
    """What former looks of the watch left behind for servers of the version before: Django is told
    of the table and the columns again, and then drops them."""

    dependencies = [("schoolproxy", "0010_feed_name")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    "WatchSlot",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("host", models.CharField(max_length=255)),
                        ("number", models.IntegerField()),
                        ("free_at", models.DateTimeField()),
                        ("claim", models.UUIDField(null=True)),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["host", "free_at"], name="watch_slots_free")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("host", "number"), name="one_watch_slot"
                            )
                        ],
                    },
                ),
                migrations.AddField(
                    "watch", "urgent", models.BooleanField(default=False, db_default=False)
                ),
                migrations.AddField(
                    "watch",
                    "group_hash",
                    models.CharField(max_length=64, blank=True, db_default="", db_index=True),
                ),
            ]
        ),
        migrations.RemoveField("watch", "urgent"),
        migrations.RemoveField("watch", "group_hash"),
        migrations.DeleteModel("WatchSlot"),
    ]
