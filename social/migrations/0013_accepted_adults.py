from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def remember_accepted_invites(apps: Any, _schema_editor: Any) -> None:
    """Which adults the invites named by whose acceptance pupils are in groups now: those who were
    members when the pupil last read the invite, without a block between the two."""
    Membership = apps.get_model("social", "Membership")
    Invite = apps.get_model("social", "Invite")
    Block = apps.get_model("social", "Block")
    AcceptedAdult = apps.get_model("social", "AcceptedAdult")
    accepted = Invite.objects.filter(
        status="accepted",
        invited__profile__user_type="student",
        conversation__closed_at=None,
        members_seen__gt=0,
    )
    rows = []
    for invite in accepted.order_by("updated_at").iterator():
        membership = Membership.objects.filter(
            conversation=invite.conversation_id,
            account=invite.invited_id,
            pk__gt=invite.members_seen,
        ).first()
        if membership is None:
            continue
        named = Membership.objects.filter(
            conversation=invite.conversation_id, pk__lte=invite.members_seen
        ).exclude(account__profile__user_type="student")
        for adult in named.values_list("account", flat=True):
            pair = models.Q(blocker=adult, blocked=invite.invited_id)
            pair |= models.Q(blocker=invite.invited_id, blocked=adult)
            if not Block.objects.filter(pair).exists():
                rows.append(AcceptedAdult(membership=membership, adult_id=adult))
    AcceptedAdult.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0018_former_user_type"),
        ("social", "0012_past_memberships"),
    ]

    operations = [
        migrations.CreateModel(
            name="AcceptedAdult",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "adult",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.account",
                    ),
                ),
                (
                    "membership",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="accepted_adults",
                        to="social.membership",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("membership", "adult"), name="one_accepted_adult"
                    )
                ],
            },
        ),
        migrations.RunPython(remember_accepted_invites, migrations.RunPython.noop),
    ]
