"""Calls of several people in a group at the same moment, and how each of them ends."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from accounts.errors import NotFound
from accounts.models import Account
from social.errors import SocialError
from social.models import Membership
from social.services.conversations.groups import leave, transfer_admin
from social.services.invites.actions import add_member, answer_invite, invite
from tests.concurrency import at_once

Call = Callable[[], Any]


def outcome(call: Call) -> str:
    """The result of a call: "done", or the name of the error."""
    try:
        call()
    except (SocialError, NotFound) as error:
        return type(error).__name__
    return "done"


def race(*calls: Call) -> list[str]:
    return at_once([partial(outcome, call) for call in calls])


def members(group: UUID) -> set[int]:
    rows = Membership.objects.filter(conversation=group)
    return set(rows.values_list("account_id", flat=True))


def inviting(group: UUID, admin: Account, target: Account) -> Call:
    return partial(
        invite, account_id=admin.pk, conversation_id=group, target_username=target.username
    )


def adding(group: UUID, admin: Account, target: Account) -> Call:
    return partial(
        add_member, account_id=admin.pk, conversation_id=group, target_username=target.username
    )


def answering(person: Account, invite_id: UUID, accept: bool = True) -> Call:
    return partial(answer_invite, account_id=person.pk, invite_id=invite_id, accept=accept)


def leaving(group: UUID, person: Account) -> Call:
    return partial(leave, account_id=person.pk, conversation_id=group)


def transferring(group: UUID, admin: Account, target: Account) -> Call:
    return partial(
        transfer_admin, account_id=admin.pk, conversation_id=group, target_username=target.username
    )
