"""Conversations of an import. The accounts of their members are locked."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from accounts.import_types import ImportRefused, ImportRow
from social.models import Conversation
from social.services.contact import contacts_among
from social.services.conversations.changes import insert_members
from social.services.message_permission import may_message


def save_conversations(rows: Sequence[ImportRow]) -> None:
    """Make the conversations whose members may be in one. A direct conversation that two people
    have here already takes their imported messages."""
    for row in rows:
        people = {
            source_id: row.person(source_id)
            for source_id in row.fields["participants"]
            if ("person", source_id) in row.targets
        }
        try:
            if row.fields.get("groupName"):
                conversation = _group(row.fields, people)
            else:
                conversation, row.found = _direct(row.fields, people)
            row.target = conversation.pk.hex
        except ImportRefused as why:
            row.refused = why


def _direct(fields: dict[str, Any], people: dict[str, int]) -> tuple[Conversation, bool]:
    """The conversation, and whether it was there. Raises: ImportRefused."""
    if len(people) < 2:
        raise ImportRefused("One of the two was erased.")
    low, high = sorted(people.values())
    if low == high:
        raise ImportRefused("The two are one person here.")
    pair = {"type": Conversation.DM, "pair_low_id": low, "pair_high_id": high}
    found = Conversation.objects.filter(**pair).first()
    if found is not None:
        return found, True
    if not may_message(low, recipient_id=high) and not may_message(high, recipient_id=low):
        raise ImportRefused(
            "Neither of the two may write to the other: they are of different schools and no "
            "friends, there is a block, or they accept no messages."
        )
    return _create(fields, [low, high], **pair), False


def _group(fields: dict[str, Any], people: dict[str, int]) -> Conversation:
    """Raises: ImportRefused for people who could not be in one group without being asked."""
    if not people:
        raise ImportRefused("All its members were erased.")
    contacts = contacts_among(people.values())
    for (one, a), (other, b) in permutations(people.items(), 2):
        if contacts.blocked_between(a, b):
            raise ImportRefused(f"There is a block between {one!r} and {other!r}.")
        if contacts.is_unknown_adult(a, to=b):
            raise ImportRefused(f"{one!r} is an adult, and {other!r} a pupil and not a friend.")
    members = list(dict.fromkeys(people.values()))
    return _create(
        fields,
        members,
        type=Conversation.GROUP,
        group_name=fields["groupName"],
        group_description=fields.get("groupDescription", ""),
        # As when an admin leaves.
        admin_id=people.get(fields["admin"], members[0]),
        encryption=fields["encryption"],
    )


def _create(fields: dict[str, Any], members: Sequence[int], **columns: Any) -> Conversation:
    """The conversation under its first revision."""
    at = fields["createdAt"]
    conversation = Conversation.objects.create(
        **columns, revision=1, info_revision=1, created_at=at, last_at=at
    )
    insert_members(conversation, members, at)
    return conversation
