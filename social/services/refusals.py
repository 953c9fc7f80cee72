"""Whom somebody has declined, and for how long they are left alone.

All of it is kept under keyed hashes of the two people, so that it holds after one of them has
erased the account and signed in again. The accounts of both are locked where it is written and
where it is asked.
"""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from accounts.purging import Purged, purge_rows
from social.limits import ASK_AGAIN_DAYS, DECLINED_GROUP_DAYS, DECLINED_SENDER_HOURS
from social.models import Refusal


def refuse_requests(*, declined_by: str, asked_by: str) -> None:
    """Record that a person declined another's friend request. Both are keyed hashes."""
    Refusal.objects.create(
        kind=Refusal.REQUEST,
        declined_by=declined_by,
        asked_by=asked_by,
        until=timezone.now() + timedelta(days=ASK_AGAIN_DAYS),
    )


def refuses_requests(declined_by: str, *, asked_by: str) -> bool:
    """Whether the first person has declined a friend request of the other a short time ago, and has
    not asked them since."""
    rows = Refusal.objects.filter(kind=Refusal.REQUEST, declined_by=declined_by, asked_by=asked_by)
    return rows.filter(until__gt=timezone.now()).exists()


def accept_requests_again(*, declined_by: str, asked_by: str) -> None:
    """Lift what `refuse_requests` recorded: the person who declined asks the other now."""
    rows = Refusal.objects.filter(kind=Refusal.REQUEST, declined_by=declined_by, asked_by=asked_by)
    rows.delete()


def refuse_invites(*, declined_by: str, asked_by: str, conversation_id: UUID) -> None:
    """Record that a person declined another's invite into a group: the other invites them into no
    group for a while, and nobody invites them into that one for longer."""
    now = timezone.now()
    people = {"declined_by": declined_by, "asked_by": asked_by}
    Refusal.objects.bulk_create(
        [
            Refusal(
                kind=Refusal.INVITE, **people, until=now + timedelta(hours=DECLINED_SENDER_HOURS)
            ),
            Refusal(
                kind=Refusal.GROUP,
                **people,
                conversation_id=conversation_id,
                until=now + timedelta(days=DECLINED_GROUP_DAYS),
            ),
        ]
    )


def refusing_invites(
    people: Collection[str], *, asked_by: str, conversation_id: UUID | None
) -> set[str]:
    """Those of the people who are not to be invited by this person, or by anybody into this group,
    because they have declined a short time ago. All are keyed hashes; None: into a new group."""
    declined = Q(kind=Refusal.INVITE, asked_by=asked_by)
    if conversation_id is not None:
        declined |= Q(kind=Refusal.GROUP, conversation=conversation_id)
    rows = Refusal.objects.filter(declined, declined_by__in=people, until__gt=timezone.now())
    return set(rows.values_list("declined_by", flat=True))


def purge_refusals(dry_run: bool = False) -> Purged:
    """Delete the refusals whose time is over."""
    over = Refusal.objects.filter(until__lte=timezone.now())
    return purge_rows(over, "refusals that are over", dry_run=dry_run)
