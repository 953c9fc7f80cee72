"""Refusals survive the erasure of either account. Those of today are copied from their rows."""

from datetime import timedelta
from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone

MONTH = timedelta(days=30)
DAY = timedelta(hours=24)


def copy_refusals(apps: Any, _schema_editor: Any) -> None:
    from accounts.person_hash import hash_of_person

    def hash_of(account: Any) -> str:
        return hash_of_person(account.school, account.upstream_user_id)

    now = timezone.now()
    refusal = apps.get_model("social", "Refusal")
    rows = apps.get_model("social", "Friendship").objects.filter(
        status="declined", updated_at__gt=now - MONTH
    )
    for row in rows.select_related("low", "high").iterator(chunk_size=500):
        asked_by, declined_by = row.low, row.high
        if row.requested_by_id == row.high_id:
            asked_by, declined_by = row.high, row.low
        refusal.objects.create(
            kind="request",
            declined_by=hash_of(declined_by),
            asked_by=hash_of(asked_by),
            until=row.updated_at + MONTH,
        )
    invites = apps.get_model("social", "Invite").objects.filter(
        status="declined", updated_at__gt=now - MONTH
    )
    for invite in invites.select_related("invited", "invited_by").iterator(chunk_size=500):
        people = {
            "declined_by": hash_of(invite.invited),
            "asked_by": hash_of(invite.invited_by),
        }
        refusal.objects.create(
            kind="group",
            **people,
            conversation_id=invite.conversation_id,
            until=invite.updated_at + MONTH,
        )
        if invite.updated_at > now - DAY:
            refusal.objects.create(kind="invite", **people, until=invite.updated_at + DAY)


class Migration(migrations.Migration):
    dependencies = [("social", "0009_reporter_hash")]

    operations = [
        migrations.CreateModel(
            name="Refusal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=7)),
                ("declined_by", models.CharField(db_index=True, max_length=64)),
                ("asked_by", models.CharField(db_index=True, max_length=64)),
                ("until", models.DateTimeField(db_index=True)),
                (
                    "conversation",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="social.conversation",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(kind="group", conversation__isnull=False)
                        | models.Q(kind__in=["request", "invite"], conversation=None),
                        name="refusal_is_of_a_person_or_a_group",
                    )
                ],
            },
        ),
        migrations.RunPython(copy_refusals, migrations.RunPython.noop),
    ]
