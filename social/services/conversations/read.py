"""Conversations: the list, one with its newest messages, a new group, its name."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone

from accounts.errors import InvalidInput
from accounts.limits import spend
from accounts.services.people import Person, people_named
from social.access import group_of_admin, membership_of
from social.errors import NotThere
from social.limits import MAX_MEMBERS
from social.models import Conversation, Membership
from social.services.conversations.changes import publish_conversation
from social.services.conversations.cursor import Cursor
from social.services.conversations.render import render_conversations
from social.services.conversations.revisions import next_revision
from social.services.invites.records import open_invites
from social.services.messages.read import latest_messages, pinned_messages
from social.services.relations import blocked_among, friends_among, lock_people
from stats import counters


class Page(NamedTuple):
    """Some conversations of an account, where the next ones begin (None: that was all), and
    how many unread messages there are in all of its conversations."""

    conversations: list[dict[str, Any]]
    next: str | None
    unread_total: int


def list_conversations(*, account_id: int, limit: int, after: Cursor | None) -> Page:
    """The account's conversations, the one with the newest message first.

    A page begins after a place and not after a number of rows: whatever moves up meanwhile,
    the rest is seen once. Five queries, however many there are.
    """
    mine = Membership.objects.filter(account=account_id, conversation__closed_at=None)
    rows = list(_after(mine, after).select_related("conversation")[: limit + 1])
    page = rows[:limit]
    more = len(rows) > limit
    unread = F("conversation__last_seq") - F("last_read_seq") - F("own_unread")
    return Page(
        render_conversations(page),
        Cursor.of(page[-1].conversation).to_text() if more else None,
        mine.aggregate(unread=Sum(unread))["unread"] or 0,
    )


def _after(rows: QuerySet[Membership], place: Cursor | None) -> QuerySet[Membership]:
    if place is not None:
        same_moment = Q(conversation__last_at=place.last_at, conversation__lt=place.id)
        rows = rows.filter(Q(conversation__last_at__lt=place.last_at) | same_moment)
    return rows.order_by("-conversation__last_at", "-conversation_id")


def read_conversation(
    *, account_id: int, conversation_id: UUID, pinned: bool = False
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """One conversation as this member sees it, and its newest messages, oldest first.

    `pinned`: the pinned messages in their place. The messages are read last, so that none is
    older than the revision that the conversation tells. Raises: NotThere.
    """
    membership = membership_of(account_id, conversation_id)
    (shown,) = render_conversations([membership])
    return shown, pinned_messages(membership) if pinned else latest_messages(membership)


def create_group(
    *,
    account_id: int,
    name: str,
    description: str,
    usernames: Sequence[str],
    encryption: str = Conversation.NONE,
) -> dict[str, Any]:
    """A new group with its creator as admin: friends are in it at once, others are invited.

    Nothing of it is there unless all of it is. Returns it as the creator sees it. Raises:
    InvalidInput (nobody else, or too many), NotThere (one of them is unknown, suspended, or
    blocked by the creator or the other way round), TooManyRequests, TooManyKept (invites).
    """
    asked = _others_named(account_id, usernames)
    known = {person.account_id for person in asked if person}
    # Before anything is said of the people: the limit must not tell a block from nobody.
    if None in asked or known - friends_among(account_id, known):
        spend("invites", str(account_id))
    others = [person.account_id for person in asked if person and not person.suspended]
    if len(others) < len(asked):
        raise NotThere
    now = timezone.now()
    with transaction.atomic():
        lock_people([account_id, *others])
        if blocked_among(account_id, others):
            raise NotThere
        friends = friends_among(account_id, others)
        conversation = Conversation.objects.create(
            type=Conversation.GROUP,
            group_name=name,
            group_description=description,
            admin_id=account_id,
            encryption=encryption,
            created_at=now,
            last_at=now,
        )
        members = [account_id, *(each for each in others if each in friends)]
        Membership.objects.bulk_create(
            Membership(conversation=conversation, account_id=each, joined_at=now)
            for each in members
        )
        next_revision(conversation, info=True)
        shown = publish_conversation(conversation, newcomers=members)[account_id]
        invited = [each for each in others if each not in friends]
        open_invites(conversation, invited=invited, invited_by=account_id)
    counters.count("conversation", account=account_id)
    return shown


def _others_named(account_id: int, usernames: Sequence[str]) -> list[Person | None]:
    """The people with these names, without doubles and oneself, in the order of the names; None
    for a name that nobody has. Raises: InvalidInput (nobody else, or too many)."""
    names = list(dict.fromkeys(username.lower() for username in usernames))
    if len(names) > MAX_MEMBERS:  # with oneself among them
        raise InvalidInput({"members": [f"At most {MAX_MEMBERS - 1} others."]})
    people = people_named(names)
    found = [people.get(name) for name in names]
    others = [person for person in found if person is None or person.account_id != account_id]
    if not 1 <= len(others) < MAX_MEMBERS:
        raise InvalidInput({"members": [f"Between one and {MAX_MEMBERS - 1} others."]})
    return others


@transaction.atomic
def rename_group(
    *,
    account_id: int,
    conversation_id: UUID,
    name: str | None = None,
    description: str | None = None,
) -> dict[str, Any]:
    """Another name or description, from its admin; None leaves one as it is.

    Returns the group as the admin sees it. Raises: NotThere, NotAllowed, StateConflict.
    """
    membership = group_of_admin(account_id, conversation_id, lock=True)
    group = membership.conversation
    before = (group.group_name, group.group_description)
    if name is not None:
        group.group_name = name
    if description is not None:
        group.group_description = description
    if (group.group_name, group.group_description) == before:
        return render_conversations([membership])[0]
    group.save(update_fields=["group_name", "group_description"])
    next_revision(group, info=True)
    return publish_conversation(group)[account_id]
