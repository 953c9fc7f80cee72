"""Blocks outlive the erasure of the blocked person."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_suspension"),
        ("social", "0002_spent_ivs"),
    ]

    operations = [
        migrations.AlterField(
            model_name="block",
            name="created_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.CreateModel(
            name="KeptBlock",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("person_hash", models.CharField(db_index=True, max_length=64)),
                ("created_at", models.DateTimeField()),
                (
                    "blocker",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kept_blocks",
                        to="accounts.account",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("blocker", "person_hash"), name="one_kept_block_each"
                    )
                ],
            },
        ),
    ]
