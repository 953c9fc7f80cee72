"""Who may have written an imported message, and whose reactions are kept.

The conversations of the batch are locked, and so are the accounts to which its rows refer.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from uuid import UUID

from accounts.import_types import ImportRefused, ImportRow
from social.limits import ANSWER_DAYS
from social.models import Conversation, Friendship, Membership, Message
from social.services.contact import contacts_among


class Authors:
    """The people of these conversations, and what they wrote in this batch."""

    def __init__(self, conversations: Collection[Conversation], rows: Iterable[ImportRow]) -> None:
        pairs = [(each.pair_low_id, each.pair_high_id) for each in conversations]
        people = {account_id for pair in pairs for account_id in pair if account_id is not None}
        # Of groups: the members, and when they joined.
        self._joined: dict[UUID, dict[int, datetime]] = {}
        members = Membership.objects.filter(
            conversation__in=[each.pk for each in conversations if each.is_group]
        )
        for group, account_id, at in members.values_list("conversation", "account", "joined_at"):
            self._joined.setdefault(group, {})[account_id] = at
        self._contacts = contacts_among(people | self._of_groups_with_outsiders(rows))
        # In direct conversations: when somebody wrote, and when two were friends last.
        self._written: dict[tuple[UUID, int], list[datetime]] = {}
        friendships = Friendship.objects.filter(low__in=people, high__in=people)
        ended = friendships.values_list("low_id", "high_id", "ended_at")
        self._ended_at = {(low, high): ended_at for low, high, ended_at in ended}

    def require_may_write(self, conversation: Conversation, sender: int, at: datetime) -> None:
        """In a direct conversation: one of the two, and an adult only in answer to a pupil. In a
        group: nobody who could not be in it, and nothing from before somebody joined it here.

        Raises: ImportRefused.
        """
        if conversation.is_group:
            self._require_may_write_in_group(conversation, sender, at)
        else:
            self._require_may_write_in_dm(conversation, sender, at)

    def may_react(self, conversation: Conversation, account_id: int) -> bool:
        """Whether somebody's reactions are kept."""
        if conversation.is_group:
            return not self._is_stranger(conversation.pk, account_id)
        return account_id in (conversation.pair_low_id, conversation.pair_high_id)

    def record(self, message: Message) -> None:
        """Remember that a message was accepted: it may be the question for a later one."""
        if not message.conversation.is_group:
            key = message.conversation_id, message.sender_id or 0
            self._written.setdefault(key, []).append(message.created_at)

    def _require_may_write_in_group(self, group: Conversation, sender: int, at: datetime) -> None:
        # Members from the file joined when the group was made, and may have older messages.
        newest = max(self._joined.get(group.pk, {}).values(), default=group.created_at)
        if newest > max(at, group.created_at):
            raise ImportRefused("Somebody joined here after this was written.")
        if self._is_stranger(group.pk, sender):
            raise ImportRefused(
                "The sender is not in the group, and could not be in one with all its members."
            )

    def _require_may_write_in_dm(
        self, conversation: Conversation, sender: int, at: datetime
    ) -> None:
        low, high = conversation.pair_low_id, conversation.pair_high_id
        if sender not in (low, high):
            raise ImportRefused("The sender is not in the conversation.")
        other = high if sender == low else low
        if other is None:
            raise ImportRefused("The other person was erased.")
        if self._contacts.blocked_between(sender, other):
            raise ImportRefused("There is a block between the two.")
        if self._contacts.is_unknown_adult(sender, to=other) and not self._was_asked(
            conversation, other, at
        ):
            raise ImportRefused(
                "An adult writes to a pupil who is no friend and has not written to them in "
                f"the {ANSWER_DAYS} days before."
            )

    def _is_stranger(self, group_id: UUID, account_id: int) -> bool:
        """Whether it is no member, and has a block with one or is an adult and no friend of a pupil
        among them."""
        members = self._joined.get(group_id, {})
        return account_id not in members and any(
            self._contacts.blocked_between(account_id, each)
            or self._contacts.is_unknown_adult(account_id, to=each)
            for each in members
        )

    def _of_groups_with_outsiders(self, rows: Iterable[ImportRow]) -> set[int]:
        """The members of groups in which somebody else wrote or reacted, and these others."""
        found: set[int] = set()
        for row in rows:
            group_id = UUID(row.targets["conversation", row.fields["conversation"]])
            members = self._joined.get(group_id, {}).keys()
            people = {int(value) for (kind, _), value in row.targets.items() if kind == "person"}
            if members and not people <= members:
                found |= people | members
        return found

    def _was_asked(self, conversation: Conversation, pupil: int, at: datetime) -> bool:
        """Whether the pupil wrote in the days before `at`. What they wrote after it does not count,
        as it is an answer, nor what they wrote before the two ceased to be friends."""
        since = at - timedelta(days=ANSWER_DAYS)
        pair = conversation.pair_low_id or 0, conversation.pair_high_id or 0
        ended_at = self._ended_at.get(pair)
        since = max(since, ended_at) if ended_at else since
        written = self._written.get((conversation.pk, pupil), ())
        if any(since < each <= at for each in written):
            return True
        earlier = Message.objects.filter(conversation=conversation, sender=pupil)
        return earlier.filter(created_at__gt=since, created_at__lte=at).exists()
