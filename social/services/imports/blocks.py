"""Blocks of an import. Both accounts of each are locked."""

from collections.abc import Iterable, Sequence

from django.db.models import Q

from accounts.import_types import ImportRefused, ImportRow
from social.limits import MAX_BLOCKS
from social.models import Block, Friendship, Invite
from social.services.invites.records import close_invites
from social.services.relations import end_row


def save_blocks(rows: Sequence[ImportRow]) -> None:
    """Make the blocks. As one that is made here, each ends the friendship and withdraws the open
    invites between the two, but without events."""
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
    friendships = Friendship.objects.between(blocker, blocked)
    for friendship in friendships.filter(status__in=Friendship.OPEN):
        end_row(friendship, ended_by=blocker)
    return True


def _withdraw_invites(pairs: Iterable[tuple[int, int]]) -> None:
    between = Q()
    for a, b in pairs:
        between |= Q(invited=a, invited_by=b) | Q(invited=b, invited_by=a)
    if between:
        close_invites(Invite.objects.filter(between), Invite.WITHDRAWN)
