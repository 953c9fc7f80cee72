import django.db.models.deletion
from django.db import migrations, models

import accounts.encryption


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("schoolproxy", "0001_feeds"),
    ]

    operations = [
        migrations.CreateModel(
            name="ChildCalendarFeed",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address_hash", models.CharField(max_length=64, unique=True)),
                ("address", accounts.encryption.SecretTextField()),
                ("created_at", models.DateTimeField()),
                ("weeks", models.BinaryField(null=True)),
                ("weeks_at", models.DateTimeField(db_index=True, null=True)),
                ("asked_at", models.DateTimeField(null=True)),
                ("trouble", models.CharField(blank=True, max_length=20)),
                ("child_id", models.BigIntegerField()),
                ("org_id", models.BigIntegerField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="child_calendar_feeds",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("account", "child_id"), name="one_feed_per_child"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("trouble__in", ["", "signed_out", "upstream_away"])),
                        name="child_feed_trouble_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("weeks__isnull", True), ("weeks_at__isnull", True)),
                            models.Q(("weeks__isnull", False), ("weeks_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="child_feed_weeks_have_a_time",
                    ),
                ],
            },
        ),
    ]
