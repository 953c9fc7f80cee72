"""Who may invite whom, and who may be in a group together, asked for several people at once.

Who may write to whom in a direct conversation is in `message_permission.py`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.conf import settings

from accounts.services.people import Person, people_of
from social.models import Block, Friendship

Pair = frozenset[int]


@dataclass(frozen=True, slots=True)
class Contacts:
    """Some people, and which two of them are friends or have a block between them.

    Erased people are missing: nobody may invite them, and they are unknown to nobody.
    """

    people: Mapping[int, Person]
    friends: frozenset[Pair]
    blocks: frozenset[Pair]

    def are_friends(self, a: int, b: int) -> bool:
        return frozenset((a, b)) in self.friends

    def blocked_between(self, a: int, b: int) -> bool:
        return frozenset((a, b)) in self.blocks

    def may_invite(self, sender_id: int, other_id: int) -> bool:
        """Whether the sender may invite the other: a friend, or somebody with whom a direct
        conversation may be begun (`everyone` means their own school; no adult begins one with a
        pupil)."""
        sender, other = self.people.get(sender_id), self.people.get(other_id)
        if sender is None or other is None or self.blocked_between(sender_id, other_id):
            return False
        return self.are_friends(sender_id, other_id) or (
            other.dm_privacy == "everyone"
            and other.school == sender.school
            and not self.is_unknown_adult(sender_id, to=other_id)
        )

    def is_unknown_adult(self, adult_id: int, *, to: int) -> bool:
        """Whether the first is an adult, and the second a pupil who is not their friend."""
        adult, pupil = self.people.get(adult_id), self.people.get(to)
        if settings.ADULT_DM_PUPIL or adult is None or pupil is None:
            return False
        return adult.is_adult and not pupil.is_adult and not self.are_friends(adult_id, to)


def contacts_among(account_ids: Collection[int]) -> Contacts:
    """What there is between these people, in three queries, however many they are."""
    wanted = set(account_ids)
    friendships = Friendship.objects.filter(
        low__in=wanted, high__in=wanted, status=Friendship.ACCEPTED
    )
    blocks = Block.objects.filter(blocker__in=wanted, blocked__in=wanted)
    return Contacts(
        people_of(wanted),
        frozenset(map(frozenset, friendships.values_list("low_id", "high_id"))),
        frozenset(map(frozenset, blocks.values_list("blocker_id", "blocked_id"))),
    )
