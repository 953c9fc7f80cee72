"""Blocks of an import. Both accounts of each are locked."""

from collections.abc import Iterable, Sequence

from django.db.models import Q
from django.utils import timezone

from accounts.import_types import ImportRefused, ImportRow
from social.limits import MAX_BLOCKS
from social.models import Block, Friendship, Invite
from social.services.relations import end_row


def save_blocks(rows: Sequence[ImportRow]) -> None:
    """Make the blocks. As one that is made here, each ends the friendship and withdraws the open
    invites between the two."""
    made = []
    for row in rows:
        pair = row.person(row.fields["blocker"]), row.person(row.fields["blocked"])
        try:
            row.found = not _save(row, *pair)
            row.target = ""
            made.append(pair)
        except ImportRefused as why:
            row.refused = why
    _withdraw_invites(made)


def _save(row: ImportRow, blocker: int, blocked: int) -> bool:
    """Whether it is new. Raises: ImportRefused."""
    if blocker == blocked:
        raise ImportRefused("The two are one person here.")
    mine = Block.objects.filter(blocker=blocker)
    if mine.filter(blocked=blocked).exists():
        return False
    if mine.count() >= MAX_BLOCKS:
        raise ImportRefused("They have as many blocks as one may have.")
    mine.create(blocker_id=blocker, blocked_id=blocked, created_at=row.fields["createdAt"])
    _end_friendship(blocker, blocked)
    return True


def _end_friendship(blocker: int, blocked: int) -> None:
    """As `friendships.end_between`, without its events."""
    row = Friendship.objects.between(blocker, blocked).first()
    if row is None:
        return
    if row.status == Friendship.ACCEPTED or (
        row.status == Friendship.PENDING and row.requested_by_id == blocker
    ):
        end_row(row)
    elif row.status == Friendship.PENDING:
        row.status = Friendship.DECLINED
        row.save(update_fields=["status", "updated_at"])


def _withdraw_invites(pairs: Iterable[tuple[int, int]]) -> None:
    """As `records.withdraw_invites_between`, without its events."""
    between = Q()
    for a, b in pairs:
        between |= Q(invited=a, invited_by=b) | Q(invited=b, invited_by=a)
    if not between:
        return
    # Locked in one order, as `records.resolve` does it.
    rows = Invite.objects.filter(between, status=Invite.PENDING).order_by("pk")
    still_open = list(rows.select_for_update(no_key=True).values_list("pk", flat=True))
    Invite.objects.filter(pk__in=still_open).update(
        status=Invite.WITHDRAWN, updated_at=timezone.now()
    )
