"""Blocks: the list, blocking, unblocking.

A block ends the friendship and withdraws open invites between the two, in one transaction. The
rest follows from asking `relations.blocked_between`: search, profile, presence, requests and
messages. Suspended people can be blocked too, for the time when they come back.
"""

from contextlib import suppress
from typing import Any

from django.db import transaction

from accounts.callers import Caller
from accounts.services.people import Person, people_of, person_named
from accounts.timestamps import milliseconds
from social.access import lock_accounts
from social.errors import NotThere, TooManyKept
from social.limits import MAX_BLOCKS
from social.models import Block
from social.services.friendships import delete_friendship
from social.services.invites.records import withdraw_invites_between
from social.services.relations import require_other

Json = dict[str, Any]


def list_blocks(account_id: int) -> list[Json]:
    """Whom the account has blocked, newest first, in two queries."""
    blocks = list(Block.objects.filter(blocker=account_id).order_by("-created_at", "-pk"))
    people = people_of(block.blocked_id for block in blocks)
    return [_render(one, people[one.blocked_id]) for one in blocks if one.blocked_id in people]


def block(caller: Caller, *, username: str) -> tuple[Json, bool]:
    """Block somebody; the block, and whether it is new.

    Raises: NotThere (unknown), TooManyKept, InvalidInput (oneself).
    """
    other = person_named(username)
    if other is None:
        raise NotThere
    require_other(caller.account_id, other)
    with transaction.atomic():
        lock_accounts([caller.account_id, other.account_id])
        mine = Block.objects.filter(blocker=caller.account_id)
        found = mine.filter(blocked=other.account_id).first()
        if found is not None:
            return _render(found, other), False
        if mine.count() >= MAX_BLOCKS:
            raise TooManyKept
        made = Block.objects.create(blocker_id=caller.account_id, blocked_id=other.account_id)
        delete_friendship(caller, other)
        withdraw_invites_between(caller.account_id, other.account_id)
    return _render(made, other), True


def unblock(caller: Caller, *, username: str) -> None:
    """Remove a block. Always succeeds; what the block ended stays ended."""
    other = person_named(username)
    if other is None:
        return
    with suppress(NotThere), transaction.atomic():
        lock_accounts([caller.account_id, other.account_id])
        Block.objects.filter(blocker=caller.account_id, blocked=other.account_id).delete()


def _render(block: Block, other: Person) -> Json:
    return {
        "username": other.username,
        "displayName": other.display_name,
        "pfpUrl": other.picture_url,
        "createdAt": milliseconds(block.created_at),
    }
