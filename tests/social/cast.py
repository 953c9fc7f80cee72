"""The cast of conversations: Elsa and others, signed in; with functions for friends and blocks."""

from functools import cached_property
from typing import Any

from django.utils import timezone

from accounts.models import Account, Profile
from social.models import Block, Friendship
from tests.conftest import Caller

CONVERSATIONS = "/api/conversations"
INVITES = "/api/group-invites"


class Person(Caller):
    """A signed-in person, with the most frequent requests."""

    def __init__(self, username: str, school: str) -> None:
        super().__init__()
        account = self.enter(username, school)
        self.username: str = account.username
        self.account_id: int = account.pk

    def list(self, query: str = "") -> Any:
        """Their list of conversations."""
        answer = self.get(f"{CONVERSATIONS}{query}")
        assert answer.status_code == 200, answer.content
        return answer.json()["conversations"]

    def dm(self, other: "Person") -> Any:
        """Their direct conversation with somebody, new or not."""
        answer = self.post(CONVERSATIONS, {"targetUsername": other.username})
        assert answer.status_code in (200, 201), answer.content
        return answer.json()["conversation"]

    def new_group(self, *members: "Person", **fields: Any) -> Any:
        """The response to creating a group with these people."""
        names = [person.username for person in members]
        body = {"type": "group", "groupName": "Ugglorna", "members": names} | fields
        return self.post(CONVERSATIONS, body)

    def group(self, *members: "Person", **fields: Any) -> Any:
        """A new group with these people, who are friends or get an invite."""
        answer = self.new_group(*members, **fields)
        assert answer.status_code == 201, answer.content
        return answer.json()["conversation"]

    def read(self, conversation: Any, query: str = "") -> Any:
        """The response to reading one."""
        return self.get(f"{CONVERSATIONS}/{conversation['id']}{query}")

    def sees(self, conversation: Any) -> Any:
        """The conversation as they see it now."""
        answer = self.read(conversation)
        assert answer.status_code == 200, answer.content
        return answer.json()["conversation"]

    def do(self, conversation: Any, action: str, **fields: Any) -> Any:
        """The response to an action."""
        return self.patch(f"{CONVERSATIONS}/{conversation['id']}", {"action": action} | fields)

    def send(self, conversation: Any, content: str) -> Any:
        """Send a message and return it."""
        path = f"{CONVERSATIONS}/{conversation['id']}/messages"
        answer = self.post(path, {"content": content})
        assert answer.status_code == 201, answer.content
        return answer.json()["message"]

    def invite(self, conversation: Any, other: "Person") -> Any:
        """The response to inviting somebody."""
        body = {"conversationId": conversation["id"], "targetUsername": other.username}
        return self.post(INVITES, body)

    def invites(self) -> Any:
        """Their open invites."""
        return self.get(INVITES).json()["invites"]

    def answer(self, invite: Any, accept: bool = True) -> Any:
        """The response to answering an invite."""
        return self.patch(INVITES, {"inviteId": invite["id"], "accept": accept})


def _person(username: str, school: str = "bjorkdalen") -> "cached_property[Person]":
    return cached_property(lambda _cast: Person(username, school))


class Cast:
    """Each signs in when first used."""

    elsa = _person("elsa.nordvall")
    bo = _person("bo.ek")
    alva = _person("alva.lind")
    omer = _person("ömer.sjölin")
    teacher = _person("torbjörn.ekvik")
    guardian = _person("gun.nordvall")
    zoe = _person("zoe.åkerman", "nyvang")
    # A teacher of the other school.
    karin = _person("karin.holm", "nyvang")


def befriend(one: Person, *others: Person) -> None:
    """Make them friends."""
    befriend_accounts(one.account_id, *(other.account_id for other in others))


def befriend_accounts(one: int, *others: int) -> None:
    Friendship.objects.bulk_create(
        [
            Friendship(
                low_id=min(one, other),
                high_id=max(one, other),
                requested_by_id=one,
                status=Friendship.ACCEPTED,
            )
            for other in others
        ],
        update_conflicts=True,
        unique_fields=["low", "high"],
        update_fields=["status", "requested_by"],
    )


def part(one: Person, other: Person) -> None:
    """End their friendship."""
    low, high = sorted([one.account_id, other.account_id])
    rows = Friendship.objects.filter(low=low, high=high)
    rows.update(status=Friendship.ENDED, ended_at=timezone.now())


def block(one: Person, other: Person) -> None:
    """Insert a block, without its consequences."""
    Block.objects.create(blocker_id=one.account_id, blocked_id=other.account_id)


def privacy(person: Person, value: str) -> None:
    """Set whose messages they accept."""
    Profile.objects.filter(account=person.account_id).update(dm_privacy=value)


def pupils(count: int, school: str = "bjorkdalen") -> list[Account]:
    """This many people who have never signed in."""
    accounts = Account.objects.bulk_create(
        Account(school=school, upstream_user_id=10_000 + number, username=f"pupil.{number}")
        for number in range(count)
    )
    Profile.objects.bulk_create(
        Profile(account=account, user_type="student", display_name=account.username.title())
        for account in accounts
    )
    return accounts


def names(invite: Any) -> list[str]:
    """The members whom an invite shows."""
    return [member["username"] for member in invite["members"]]


def invited(cast: Cast, group: Any, person: Person) -> Any:
    """Elsa's new invite of somebody into her group."""
    answer = cast.elsa.invite(group, person)
    assert answer.status_code == 201, answer.content
    return answer.json()["invite"]


def add(cast: Cast, group: Any, person: Person) -> None:
    """Elsa adds somebody, who becomes a member at once."""
    answer = cast.elsa.do(group, "add_member", targetUsername=person.username)
    assert answer.json()["invite"] is None
