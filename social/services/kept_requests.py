"""Invites and friend requests that are taken back: the person who received one can still report it
(`accounts.services.kept_texts`)."""

from collections.abc import Iterable

from django.db.models import Q
from django.utils import timezone

from accounts.models import KeptText, Profile
from accounts.services.kept_texts import kept_since, kept_text
from social.models import Friendship, Invite

# The kinds of report.
INVITE = "invite"
FRIEND_REQUEST = "friend_request"
NAMES = ("display_name", "first_name", "last_name")


def keep_request(row: Friendship, *, change: str) -> None:
    """Keep an open friend request that is about to be withdrawn or declined: when it was sent, and
    the names that it showed."""
    texts = {"sent_at": row.created_at.isoformat()}
    profile = Profile.objects.filter(account=row.requested_by_id).first()
    if profile is not None:
        texts |= {name: getattr(profile, name) for name in NAMES}
    kept_text(
        FRIEND_REQUEST,
        row.pk.hex,
        texts,
        account_id=row.requested_by_id,
        reader_id=row.other(row.requested_by_id),
        change=change,
    ).save()


def keep_names_in_invites(invites: Iterable[Invite]) -> None:
    """Keep the name of the group that these locked invites show, and that is about to be removed,
    for those who received them."""
    KeptText.objects.bulk_create(
        kept_text(
            INVITE,
            invite.pk.hex,
            {"group_name": invite.group_name},
            account_id=invite.invited_by_id,
            reader_id=invite.invited_id,
            change=KeptText.EDITED,
        )
        for invite in invites
    )


def keep_requests_of(account_id: int) -> None:
    """Keep the open requests and the invites of an account that is being erased, for those who
    received them; of the invites also those that were answered or withdrawn a short time ago."""
    for row in Friendship.objects.filter(requested_by=account_id, status=Friendship.PENDING):
        keep_request(row, change=KeptText.WITHDRAWN)
    recent = Q(status=Invite.PENDING) | Q(updated_at__gt=kept_since())
    now = timezone.now()
    KeptText.objects.bulk_create(
        kept_text(
            INVITE,
            invite.pk.hex,
            {"sent_at": invite.invited_at.isoformat(), "group_name": invite.group_name},
            account_id=account_id,
            reader_id=invite.invited_id,
            change=KeptText.WITHDRAWN,
            gone_at=now if invite.status == Invite.PENDING else invite.updated_at,
        )
        for invite in Invite.objects.filter(recent, invited_by=account_id)
    )
