"""Who may reach whom: the rules of contact between two people, and no others.

They depend on blocks, friendship, privacy, school, and on the adult rule: a teacher or guardian
does not reach a pupil who has not begun it (`ADULT_DM_PUPIL` lifts this). Everything that begins
contact, writes, shows a name, joins or ends asks `Contacts`, which holds what there is between some
people, for one conversation or a page of them.

Where two people are alone, in a direct conversation or in a group that has only these two members,
the same is asked for everything that one of them writes.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import DateTimeField, Max, Q, QuerySet, Value
from django.utils import timezone

from accounts.services.people import Person, people_of
from social.access import first_members
from social.errors import DmRefused
from social.limits import ANSWER_DAYS
from social.models import AcceptedAdult, Block, Conversation, Friendship, Message

Pair = frozenset[int]
_BLOCK = "block"  # beside the states of a friendship


@dataclass(frozen=True, slots=True)
class Contacts:
    """Some people, and what there is between each two of them.

    Erased people are missing: nobody may write to them, and they are unknown to nobody. `parted`
    is when the last friendship of two people ended. `answerable` has (conversation, pupil): what
    the pupil wrote there, since then and in the last days, may be answered by an adult. `accepted`
    has (pupil, adult): in the group that is looked at, the pupil accepted an invite that named the
    adult.
    """

    people: Mapping[int, Person]
    friends: frozenset[Pair]
    blocks: frozenset[Pair]
    parted: Mapping[Pair, datetime] = field(default_factory=dict)
    answerable: Collection[tuple[UUID, int]] = ()
    accepted: Collection[tuple[int, int]] = ()

    def may_write(self, sender_id: int, to: int, *, here: UUID | None = None) -> bool:
        """Whether one person may write to another where the two are alone: in this conversation, or
        in a new one (None)."""
        sender, other = self.people.get(sender_id), self.people.get(to)
        if sender is None or other is None or self.blocked_between(sender_id, to):
            return False
        if other.dm_privacy == "nobody":
            return False
        if self.are_friends(sender_id, to):
            return True
        own_school = other.dm_privacy == "everyone" and other.school == sender.school
        return own_school and not self.is_unasked_adult(sender_id, to=to, here=here)

    def may_invite(self, sender_id: int, other_id: int) -> bool:
        """Whether the sender may invite the other: somebody to whom they may write first, or a
        friend, also one who takes no messages."""
        if self.blocked_between(sender_id, other_id):
            return False
        friends = self.are_friends(sender_id, other_id) and other_id in self.people
        return friends or self.may_write(sender_id, other_id)

    def may_share_group(self, a: int, b: int) -> bool:
        """Whether two members may be together in the group that is looked at.

        An adult and a pupil may while they are friends, or if the pupil is there by having accepted
        an invite that named the adult; not across a block. Any other two may.
        """
        adult, pupil = (a, b) if self.is_adult_to_pupil(a, b) else (b, a)
        if not self.is_unknown_adult(adult, to=pupil):
            return True
        return (pupil, adult) in self.accepted and not self.blocked_between(adult, pupil)

    def is_name_hidden(self, account_id: int, *, reader: int, here: UUID) -> bool:
        """Whether, where the two are alone, one reads the other's username and no display name or
        picture: a name can be a message to somebody who wants none."""
        blocked = self.blocked_between(account_id, reader)
        return blocked or self.is_unasked_adult(account_id, to=reader, here=here)

    def is_unasked_adult(self, adult_id: int, *, to: int, here: UUID | None) -> bool:
        """Whether the first is an adult, and the second a pupil who is no friend and has not
        written anything here that may be answered."""
        return self.is_unknown_adult(adult_id, to=to) and (here, to) not in self.answerable

    def is_unknown_adult(self, adult_id: int, *, to: int) -> bool:
        """Whether the first is an adult, and the second a pupil who is not their friend."""
        return self.is_adult_to_pupil(adult_id, to) and not self.are_friends(adult_id, to)

    def is_adult_to_pupil(self, adult_id: int, pupil_id: int) -> bool:
        """Whether the first is an adult and the second a pupil, and the rule for these holds."""
        adult, pupil = self.people.get(adult_id), self.people.get(pupil_id)
        if settings.ADULT_DM_PUPIL or adult is None or pupil is None:
            return False
        return adult.is_adult and not pupil.is_adult

    def are_friends(self, a: int, b: int) -> bool:
        return frozenset((a, b)) in self.friends

    def blocked_between(self, a: int, b: int) -> bool:
        return frozenset((a, b)) in self.blocks


def contacts_among(account_ids: Iterable[int], *, group: UUID | None = None) -> Contacts:
    """What there is between these people, in three queries, however many they are. `group`: also
    which adults its pupils have accepted, for `may_share_group`; one query more."""
    wanted = set(account_ids)
    accepted = AcceptedAdult.objects.filter(membership__conversation=group)
    pairs = set(accepted.values_list("membership__account_id", "adult_id")) if group else set()
    return _contacts(people_of(wanted), accepted=pairs)


def contacts_around(readers: Collection[int], people: Mapping[int, Person]) -> Contacts:
    """What there is between each of the readers and any of these people, in two queries."""
    friendships = Friendship.objects.filter(Q(low__in=readers) | Q(high__in=readers))
    blocks = Block.objects.filter(Q(blocker__in=readers) | Q(blocked__in=readers))
    return _from_rows(people, friendships, blocks)


def contacts_in_pairs(
    members: Mapping[UUID, Collection[int]], people: Mapping[int, Person] | None = None
) -> Contacts:
    """What there is between the members of each conversation that has only two, in four queries at
    most. Larger ones are left out. `people`: these members, if they are loaded already."""
    pairs = {pk: tuple(both) for pk, both in members.items() if len(both) == 2}
    if not pairs:
        return Contacts({}, frozenset(), frozenset())
    wanted = {account_id for both in pairs.values() for account_id in both}
    loaded = people_of(wanted) if people is None else people
    contacts = _contacts({pk: loaded[pk] for pk in wanted if pk in loaded})
    waiting = [
        (conversation_id, pupil, contacts.parted.get(frozenset((a, b))))
        for conversation_id, (a, b) in pairs.items()
        for adult, pupil in ((a, b), (b, a))
        if contacts.is_unknown_adult(adult, to=pupil)
    ]
    return replace(contacts, answerable=_answerable(waiting) if waiting else set())


def require_may_begin(sender_id: int, *, to: int) -> None:
    """Check that one person may begin to write to another. Raises: DmRefused."""
    if not contacts_among([sender_id, to]).may_write(sender_id, to):
        raise DmRefused


def require_may_write(
    conversation: Conversation,
    account_id: int,
    members: Collection[int] | None = None,
    people: Mapping[int, Person] | None = None,
) -> None:
    """Check that a member may write in a conversation: where the members are two, that the one may
    write to the other. `members` and `people`: those in it, if they are loaded already.

    A suspended person still receives messages, because a suspension is not public. The other one of
    a direct conversation who is erased does not. Raises: DmRefused.
    """
    if members is None:
        members = first_members(conversation.pk)
    others = [member for member in members if member != account_id]
    if not others and not conversation.is_group:
        raise DmRefused
    if len(others) != 1:
        return
    contacts = contacts_in_pairs({conversation.pk: (account_id, others[0])}, people)
    if not contacts.may_write(account_id, others[0], here=conversation.pk):
        raise DmRefused


def hidden_names(
    members: Mapping[UUID, Collection[int]], people: Mapping[int, Person] | None = None
) -> dict[UUID, set[int]]:
    """Of each conversation with only two members those whose display name and picture the other
    does not see. Nothing is hidden in larger groups."""
    contacts = contacts_in_pairs(members, people)
    return {
        conversation_id: {
            account_id
            for account_id in both
            for reader in both
            if reader != account_id
            and contacts.is_name_hidden(account_id, reader=reader, here=conversation_id)
        }
        for conversation_id, both in members.items()
        if len(both) == 2
    }


def _contacts(people: Mapping[int, Person], accepted: Collection[tuple[int, int]] = ()) -> Contacts:
    ids = list(people)
    friendships = Friendship.objects.filter(low__in=ids, high__in=ids)
    blocks = Block.objects.filter(blocker__in=ids, blocked__in=ids)
    return _from_rows(people, friendships, blocks, accepted)


def _from_rows(
    people: Mapping[int, Person],
    friendships: QuerySet[Friendship],
    blocks: QuerySet[Block],
    accepted: Collection[tuple[int, int]] = (),
) -> Contacts:
    """Both tables in one query: it is asked for each message."""
    no_time = Value(None, DateTimeField())
    rows = friendships.values_list("low_id", "high_id", "status", "ended_at").union(
        blocks.values_list("blocker_id", "blocked_id", Value(_BLOCK), no_time), all=True
    )
    pairs: dict[str, set[Pair]] = defaultdict(set)
    parted: dict[Pair, datetime] = {}
    for a, b, status, ended_at in rows:
        pairs[status].add(frozenset((a, b)))
        if ended_at is not None:
            parted[frozenset((a, b))] = ended_at
    return Contacts(
        people,
        frozenset(pairs[Friendship.ACCEPTED]),
        frozenset(pairs[_BLOCK]),
        parted,
        accepted=accepted,
    )


def _answerable(waiting: Iterable[tuple[UUID, int, datetime | None]]) -> set[tuple[UUID, int]]:
    """Those (conversation, pupil) in which the pupil wrote something that may be answered: in the
    last days, and since the time given. It may be deleted by now."""
    since = {(conversation_id, pupil): ended for conversation_id, pupil, ended in waiting}
    rows = Message.objects.filter(
        conversation__in={conversation_id for conversation_id, _pupil in since},
        sender__in={pupil for _conversation_id, pupil in since},
        created_at__gt=timezone.now() - timedelta(days=ANSWER_DAYS),
    ).order_by()
    newest = rows.values_list("conversation_id", "sender_id").annotate(newest=Max("created_at"))
    return {
        (conversation_id, pupil)
        for conversation_id, pupil, at in newest
        if pupil is not None
        and (conversation_id, pupil) in since
        and ((ended := since[conversation_id, pupil]) is None or at > ended)
    }
