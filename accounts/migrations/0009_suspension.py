"""Suspensions with an end and a reason, which an erasure does not end; the words of warnings.

The previous version runs on it: it reads the text of a warning as its reason, in the same column.
"""

from typing import Any

from django.db import migrations, models
from django.db.models import F

import accounts.models.warnings


def lift_suspensions_by_erasures(apps: Any, _schema_editor: Any) -> None:
    """An erasure used to suspend the account, which must not be kept as a suspension by staff."""
    accounts = apps.get_model("accounts", "Account").objects
    accounts.filter(suspended_at__gte=F("erasure_started_at")).update(suspended_at=None)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_name_keys"),
    ]

    operations = [
        migrations.RunPython(lift_suspensions_by_erasures, migrations.RunPython.noop),
        migrations.AddField(
            model_name="account",
            name="suspended_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="account",
            name="suspension_reason",
            field=models.CharField(blank=True, db_default="", default="", max_length=500),
        ),
        migrations.CreateModel(
            name="ErasedPerson",
            fields=[
                ("suspended_at", models.DateTimeField(blank=True, null=True)),
                ("suspended_until", models.DateTimeField(blank=True, null=True)),
                (
                    "suspension_reason",
                    models.CharField(blank=True, db_default="", default="", max_length=500),
                ),
                (
                    "person_hash",
                    models.CharField(max_length=64, primary_key=True, serialize=False),
                ),
            ],
            options={"abstract": False},
        ),
        # Three steps, so that the column keeps its name.
        migrations.AlterField(
            model_name="accountwarning",
            name="reason",
            field=models.CharField(db_column="reason", max_length=20),
        ),
        migrations.RenameField(model_name="accountwarning", old_name="reason", new_name="text"),
        migrations.AlterField(
            model_name="accountwarning",
            name="text",
            field=models.CharField(db_column="reason", max_length=500),
        ),
        migrations.AddField(
            model_name="accountwarning",
            name="public_id",
            field=models.UUIDField(db_default=accounts.models.warnings.RandomId(), editable=False),
        ),
    ]
