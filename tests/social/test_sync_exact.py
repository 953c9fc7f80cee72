"""Whatever others do between and during the answers of /api/sync, its client has what a full read
shows. `make soak` tries more of what they may do."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from tests.concurrency import crowd
from tests.social.cast import CONVERSATIONS, Cast, Person, befriend
from tests.social.syncing_client import SyncingClient, read_everything

Json = dict[str, Any]
SEEDS = 20 if os.environ.get("SOAK") else 3
EMOJI = ["👍", "🎉", "😢"]


@pytest.fixture
def friends(transactional_db: None, settings: Settings, simulator: None) -> list[Person]:
    settings.RATE_LIMITS = False
    cast = Cast()
    everybody = [cast.elsa, cast.bo, cast.alva]
    for one, other in [*pairwise(everybody), (cast.elsa, cast.alva)]:
        befriend(one, other)
    return everybody


class Actor:
    """Does whatever a person may do, in conversations that are given; refusals are ignored."""

    def __init__(self, person: Person, random: Random, conversations: list[Json]) -> None:
        self.person = person
        self.random = random
        self.conversations = conversations

    def act(self) -> None:
        conversation = self.random.choice(self.conversations)
        acts: list[Callable[[Json], None]] = [
            *[self.send] * 5,
            *[self.edit, self.delete, self.react, self.react, self.pin, self.quote],
            *[self.read, self.rename, self.leave, self.add, self.remove],
        ]
        self.random.choice(acts)(conversation)

    def read(self, conversation: Json) -> None:
        self.person.do(conversation, "mark_read")

    def rename(self, conversation: Json) -> None:
        self.person.do(conversation, "rename", groupName=f"Grupp {self.random.randrange(100)}")

    def leave(self, conversation: Json) -> None:
        self.person.do(conversation, "leave")

    def send(self, conversation: Json, **fields: Any) -> None:
        path = f"{CONVERSATIONS}/{conversation['id']}/messages"
        self.person.post(path, {"content": f"{self.random.random()}"} | fields)

    def quote(self, conversation: Json) -> None:
        for message in self._any_message(conversation):
            self.send(conversation, replyTo={"messageId": message["id"]})

    def edit(self, conversation: Json) -> None:
        self._change(conversation, "edit", content=f"{self.random.random()}")

    def react(self, conversation: Json) -> None:
        self._change(conversation, "react", emoji=self.random.choice(EMOJI))

    def pin(self, conversation: Json) -> None:
        self._change(conversation, "pin")

    def delete(self, conversation: Json) -> None:
        for message in self._any_message(conversation):
            self.person.delete(f"{CONVERSATIONS}/{conversation['id']}/{message['id']}")

    def add(self, conversation: Json) -> None:
        self._members(conversation, "add_member")

    def remove(self, conversation: Json) -> None:
        self._members(conversation, "remove_member")

    def _members(self, conversation: Json, action: str) -> None:
        name = self.random.choice(["elsa.nordvall", "bo.ek", "alva.lind"])
        self.person.do(conversation, action, targetUsername=name)

    def _change(self, conversation: Json, action: str, **fields: Any) -> None:
        for message in self._any_message(conversation):
            path = f"{CONVERSATIONS}/{conversation['id']}/{message['id']}"
            self.person.patch(path, {"action": action} | fields)

    def _any_message(self, conversation: Json) -> Iterator[Json]:
        page = self.person.get(f"{CONVERSATIONS}/{conversation['id']}/messages").json()
        if page["success"] and page["messages"]:
            yield self.random.choice(page["messages"])


def conversations_of(elsa: Person, bo: Person, alva: Person) -> list[Json]:
    return [elsa.dm(bo), bo.dm(alva), elsa.group(bo, alva), elsa.group(bo), bo.group(elsa, alva)]


def has_everything(client: SyncingClient) -> None:
    conversations, messages, unread_total = read_everything(client.caller)
    assert client.conversations == conversations
    assert client.messages == messages
    assert client.unread_total == unread_total


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_client_that_syncs_now_and_then(
    friends: list[Person], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("social.services.sync.SYNC_MESSAGES", 4)
    random = Random(seed)
    conversations = conversations_of(*friends)
    actors = [Actor(person, random, conversations) for person in friends]
    clients = [SyncingClient(person) for person in friends]
    for _ in range(12):
        for _ in range(random.randrange(12)):
            random.choice(actors).act()
        client = random.choice(clients)
        client.sync()
        has_everything(client)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_client_that_syncs_while_others_write(
    friends: list[Person], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("social.services.sync.SYNC_MESSAGES", 5)
    conversations = conversations_of(*friends)
    client = SyncingClient(friends[0])

    def write(number: int, person: Person) -> None:
        actor = Actor(person, Random(100 * seed + number), conversations)
        for _ in range(25):
            actor.act()

    writing: list[Callable[[], None]] = [
        partial(write, number, person) for number, person in enumerate(friends)
    ]
    with crowd(3) as start:
        running = [start(each) for each in writing]
        while not all(each.done() for each in running):
            client.sync()
        for each in running:
            each.result()
    client.sync()
    has_everything(client)
