"""New groups: who becomes a member at once, and who gets an invite."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidInput, TooManyRequests
from accounts.name_comparison import normalize_username
from accounts.rate_limits import refund_many, spend, spend_many
from accounts.services.people import Person, people_named
from social.errors import NotThere, SocialError
from social.limits import INVITES, MAX_MEMBERS, NEW_GROUPS
from social.models import Conversation, Membership
from social.services.contact import contacts_among
from social.services.conversations.changes import publish_change
from social.services.invites.records import create_invites
from social.services.invites.rules import join_at_once, require_may_invite, require_not_declined
from social.services.relations import lock_unblocked
from stats import counters

Json = dict[str, Any]


def create_group(
    *,
    account_id: int,
    name: str,
    description: str,
    usernames: Sequence[str],
    encryption: str = Conversation.NONE,
) -> Json:
    """Create a group with the account as admin: friends become members, others get invites
    (`rules.join_at_once`).

    All or nothing; a group that is refused costs one invite. Returns it as the admin sees it.
    Raises: InvalidInput (nobody else, or too many), NotThere (one of them is unknown, suspended, or
    blocked by the admin or the other way round), DmRefused (one of them must not be invited by the
    account), DeclinedRecently, TooManyRequests, TooManyKept (invites).
    """
    named = _others_named(account_id, usernames)
    known = [person.account_id for person in named if person]
    joining = join_at_once(account_id, known, contacts_among([account_id, *known]))
    # Before the people can be refused: whether they were counted must not reveal a block.
    asked = len(named) - len(joining)
    spend_many(INVITES, str(account_id), asked)
    try:
        spend(NEW_GROUPS, str(account_id))
        others = [person.account_id for person in named if person and person.is_reachable]
        if len(others) < len(named):
            raise NotThere
        group = Conversation(
            type=Conversation.GROUP,
            group_name=name,
            group_description=description,
            admin_id=account_id,
            encryption=encryption,
        )
        shown = _create(group, account_id, others)
    except (SocialError, TooManyRequests):
        refund_many(INVITES, str(account_id), asked - 1)
        raise
    counters.count("conversation", account=account_id)
    return shown


@transaction.atomic
def _create(group: Conversation, account_id: int, others: Sequence[int]) -> Json:
    lock_unblocked(account_id, others)
    contacts = contacts_among([account_id, *others])
    require_may_invite(account_id, others, contacts, field="members")
    require_not_declined(account_id, others, contacts, field="members")
    joining = join_at_once(account_id, others, contacts)
    group.created_at = group.last_at = timezone.now()
    group.save(force_insert=True)
    members = [account_id, *joining]
    Membership.objects.bulk_create(
        Membership(conversation=group, account_id=each, joined_at=group.created_at)
        for each in members
    )
    shown = publish_change(group, newcomers=members)[account_id]
    invited = [each for each in others if each not in joining]
    create_invites(group, invited=invited, invited_by=account_id)
    return shown


def _others_named(account_id: int, usernames: Sequence[str]) -> list[Person | None]:
    """The people with these names, without duplicates and the account itself, in the order of
    the names; None for an unknown name. Raises: InvalidInput (nobody else, or too many)."""
    names = list(dict.fromkeys(normalize_username(username) for username in usernames))
    if len(names) > MAX_MEMBERS:  # one of them may be the account itself
        raise InvalidInput({"members": [_("At most %(most)d others.") % {"most": MAX_MEMBERS - 1}]})
    people = people_named(names)
    found = [people.get(name) for name in names]
    others = [person for person in found if person is None or person.account_id != account_id]
    if not 1 <= len(others) < MAX_MEMBERS:
        raise InvalidInput(
            {"members": [_("Between one and %(most)d others.") % {"most": MAX_MEMBERS - 1}]}
        )
    return others
