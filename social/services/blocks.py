"""Blocks: the list, blocking, unblocking.

A block ends the friendship and withdraws open invites between the two. Where one is an adult and
the other a pupil, who blocks leaves the groups in which both are. All that is one transaction. The
rest follows from asking `relations.blocked_among`: search, profile, presence, requests and
messages. Suspended people can be blocked too, for the time when they come back. Blocks of a person
outlive the erasure of their account, so that nobody gets rid of them by signing in again.
"""

from contextlib import suppress
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.callers import Caller
from accounts.errors import NotFound, TooManyKept
from accounts.models import Account
from accounts.services.people import Person, people_of, person_named
from accounts.timestamps import milliseconds
from social.access import lock_accounts
from social.limits import MAX_BLOCKS
from social.models import Block, KeptBlock
from social.services.conversations.parting import leave_groups_with
from social.services.friendships import end_between
from social.services.invites.records import ask_again_after_block, withdraw_invites_between
from social.services.relations import require_not_hidden, require_other

Json = dict[str, Any]


def list_blocks(account_id: int) -> list[Json]:
    """Whom the account has blocked, newest first, in two queries."""
    blocks = list(_blocks_of(account_id).order_by("-created_at", "-pk"))
    people = people_of(block.blocked_id for block in blocks)
    return [_render(row, people[row.blocked_id]) for row in blocks if row.blocked_id in people]


def block(caller: Caller, *, username: str) -> tuple[Json, bool]:
    """Block somebody; the block, and whether it is new.

    Raises: NotFound (unknown, or a hidden pupil of another school whom the caller never knew),
    TooManyKept, InvalidInput (oneself).
    """
    other = person_named(username)
    if other is None:
        raise NotFound
    require_other(caller.account_id, other)
    with transaction.atomic():
        lock_accounts([caller.account_id, other.account_id])
        blocks = _blocks_of(caller.account_id)
        existing = blocks.filter(blocked=other.account_id).first()
        if existing is not None:
            return _render(existing, other), False
        require_not_hidden(caller.account_id, other, knew_too=True)
        if blocks.count() >= MAX_BLOCKS:
            raise TooManyKept
        blocks.create(blocker_id=caller.account_id, blocked_id=other.account_id)
        end_between(caller, other)
        withdraw_invites_between(caller.account_id, other.account_id)
        leave_groups_with(caller.account_id, other.account_id)
        created = blocks.get(blocked=other.account_id)
    return _render(created, other), True


def unblock(caller: Caller, *, username: str) -> None:
    """Remove a block. Always succeeds; what the block ended stays ended."""
    other = person_named(username)
    if other is None:
        return
    with suppress(NotFound), transaction.atomic():
        lock_accounts([caller.account_id, other.account_id])
        Block.objects.filter(blocker=caller.account_id, blocked=other.account_id).delete()
        ask_again_after_block(caller.account_id, other.account_id)


@transaction.atomic
def erase_blocks(account_id: int) -> None:
    """Delete the blocks of an account that is being erased, and keep those that others made of it,
    with a keyed hash in place of the person."""
    account = Account.objects.filter(pk=account_id).first()
    if account is None:
        return
    blocks = Block.objects.filter(Q(blocker=account_id) | Q(blocked=account_id))
    # In one order, because both sides of a block may be erased at once.
    rows = blocks.order_by("pk").select_for_update()
    KeptBlock.objects.bulk_create(
        [
            KeptBlock(
                blocker_id=row.blocker_id,
                person_hash=account.person_hash,
                created_at=row.created_at,
            )
            for row in rows
            if row.blocked_id == account_id
        ],
        ignore_conflicts=True,
    )
    blocks.delete()


def restore_blocks(account_id: int, person_hash: str) -> None:
    """Make the blocks of an erased person blocks of their new account. Runs in the transaction
    that creates the account."""
    kept = KeptBlock.objects.filter(person_hash=person_hash)
    # An erasure of a blocker looks once for their blocks: none is added after it has begun.
    blockers = Account.objects.filter(pk__in=kept.values("blocker"), erasure_started_at=None)
    staying = set(
        blockers.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True)
    )
    Block.objects.bulk_create(
        Block(blocker_id=row.blocker_id, blocked_id=account_id, created_at=row.created_at)
        for row in kept
        if row.blocker_id in staying
    )
    kept.filter(blocker__in=staying).delete()


def _blocks_of(account_id: int) -> QuerySet[Block, Any]:
    """The account's blocks, with `blocked_first` and `suspended_first`: whether the other had
    blocked the account, or was suspended, before."""
    theirs = Block.objects.filter(blocker=OuterRef("blocked"), blocked=account_id)
    return Block.objects.filter(blocker=account_id).annotate(
        blocked_first=Exists(theirs.filter(created_at__lt=OuterRef("created_at"))),
        suspended_first=Q(blocked__suspended_at__lt=F("created_at")),
    )


def _render(block: Any, other: Person) -> Json:
    """`block` is one of `_blocks_of`. Whom somebody has blocked is shown by the name at school,
    which they cannot change. Who had hidden it by then is not; what comes later changes nothing, so
    that the list tells of no block and no suspension."""
    hidden = block.blocked_first or (other.suspended and block.suspended_first)
    return {
        "username": other.username,
        "displayName": other.username if hidden else other.name_at_school,
        "realName": None,
        "userType": other.user_type,
        "pfpUrl": "",
        "createdAt": milliseconds(block.created_at),
    }
