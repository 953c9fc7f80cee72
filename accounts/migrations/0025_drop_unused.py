import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """What the import, the outbox and the former queue left behind for servers of the version
    before: Django is told of the tables and the column again, and then drops them."""

    dependencies = [("accounts", "0024_page_sessions")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AddField(
                    "account",
                    "unclaimed_since",
                    models.DateTimeField("unclaimed since", blank=True, null=True),
                ),
                migrations.CreateModel(
                    "ImportedObject",
                    fields=[
                        (
                            "key_hash",
                            models.CharField(max_length=64, primary_key=True, serialize=False),
                        ),
                        ("kind", models.CharField(max_length=12)),
                        ("target", models.CharField(blank=True, max_length=64)),
                        ("imported_at", models.DateTimeField()),
                        (
                            "account",
                            models.ForeignKey(
                                "accounts.account",
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                db_constraint=False,
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                fields=["imported_at"],
                                condition=models.Q(("kind", "message")),
                                name="imported_messages",
                            )
                        ]
                    },
                ),
                migrations.CreateModel(
                    "OutboxCall",
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
                        ("function", models.CharField(max_length=100)),
                        ("arguments", models.BinaryField()),
                        ("created_at", models.DateTimeField(auto_now_add=True, db_index=True)),
                    ],
                ),
                migrations.CreateModel(
                    "JobWorker",
                    fields=[
                        ("id", models.CharField(max_length=64, primary_key=True, serialize=False)),
                        ("host", models.CharField(max_length=255)),
                        ("pid", models.PositiveIntegerField()),
                        ("threads", models.PositiveSmallIntegerField()),
                        ("started_at", models.DateTimeField()),
                        ("seen_at", models.DateTimeField()),
                    ],
                ),
                migrations.CreateModel(
                    "RecurringRun",
                    fields=[
                        (
                            "name",
                            models.CharField(max_length=100, primary_key=True, serialize=False),
                        ),
                        ("started_at", models.DateTimeField(null=True)),
                        ("worker", models.CharField(default="", max_length=64)),
                    ],
                ),
            ]
        ),
        migrations.RemoveField("account", "unclaimed_since"),
        migrations.DeleteModel("ImportedObject"),
        migrations.DeleteModel("OutboxCall"),
        migrations.DeleteModel("JobWorker"),
        migrations.DeleteModel("RecurringRun"),
    ]
