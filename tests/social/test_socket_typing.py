"""`typing`: who receives it, who does not, and how often."""

import json
from collections.abc import Callable
from uuid import UUID, uuid4

import pytest
from websockets.sync.client import ClientConnection

from social.limits import SocketLimits
from social.models import Block, Membership
from social.realtime.events import ConversationRemoved
from social.realtime.publish import Delivery, publish_on_commit
from tests.social.conftest import OpenSocket, SignIn
from tests.social.factories import account, dm_of, group_of
from tests.social.socket_frames import answers_ping, receive, receive_ready

PortWith = Callable[[SocketLimits], int]
People = Callable[..., list[ClientConnection]]
ELSA, BO, ALVA = "elsa.nordvall", "bo.ek", "alva.lind"
# Every frame is passed on, and authorised without the cache.
ALWAYS = SocketLimits(typing_seconds=0, membership_seconds=0)


@pytest.fixture
def people(sign_in: SignIn, open_socket: OpenSocket) -> People:
    """A socket for each of these, open."""

    def go(port: int, *names: str) -> list[ClientConnection]:
        sockets = [open_socket(port, sign_in(name)) for name in names]
        for connection in sockets:
            receive_ready(connection)
        return sockets

    return go


def types(connection: ClientConnection, conversation_id: UUID) -> None:
    connection.send(json.dumps({"type": "typing", "conversationId": conversation_id.hex}))


def typing_event(conversation_id: UUID, username: str = ELSA) -> dict[str, str]:
    return {"type": "typing", "conversationId": conversation_id.hex, "username": username}


def receives_nothing_from(
    speaker: ClientConnection, listener: ClientConnection, person: str
) -> bool:
    """Whether the listener has received none of the frames that the speaker sent before.

    The background tasks of a socket run in order, and so do events to one account.
    """
    proof = group_of(ELSA, person)
    types(speaker, proof.pk)
    return receive(listener) == typing_event(proof.pk)


def test_the_other_members_receive_it_and_the_sender_does_not(port: int, people: People) -> None:
    elsa, bo, alva = people(port, ELSA, BO, ALVA)
    group = group_of(ELSA, BO, ALVA)
    types(elsa, group.pk)
    assert receive(bo) == receive(alva) == typing_event(group.pk)
    assert answers_ping(elsa)


def test_other_sockets_of_the_typing_account_do_not_receive_it(port: int, people: People) -> None:
    here, there, bo = people(port, ELSA, ELSA, BO)
    types(here, group_of(ELSA, BO).pk)
    receive(bo)
    assert answers_ping(there)


@pytest.mark.parametrize("where", ["unknown", "strangers", "left", "closed"])
def test_typing_of_somebody_who_is_not_a_member_is_dropped(
    port_with: PortWith, people: People, where: str
) -> None:
    elsa, bo = people(port_with(ALWAYS), ELSA, BO)
    group = group_of(*([BO] if where == "strangers" else [ELSA, BO]))
    if where == "left":
        Membership.objects.filter(conversation=group, account=account(ELSA)).delete()
    if where == "closed":
        group.closed_at = group.created_at
        group.save()
    types(elsa, uuid4() if where == "unknown" else group.pk)
    assert receives_nothing_from(elsa, bo, BO)
    assert answers_ping(elsa)


@pytest.mark.parametrize("blocker", [ELSA, BO])
def test_a_block_stops_typing_in_a_direct_conversation(
    port_with: PortWith, people: People, blocker: str
) -> None:
    elsa, bo = people(port_with(ALWAYS), ELSA, BO)
    dm = dm_of(ELSA, BO)
    types(elsa, dm.pk)
    assert receive(bo) == typing_event(dm.pk)
    blocked = account(BO if blocker == ELSA else ELSA)
    Block.objects.create(blocker=account(blocker), blocked=blocked)
    types(elsa, dm.pk)
    assert receives_nothing_from(elsa, bo, BO)


def test_a_second_typing_frame_at_once_is_dropped(port_with: PortWith, people: People) -> None:
    elsa, bo = people(port_with(SocketLimits(typing_seconds=3600)), ELSA, BO)
    group = group_of(ELSA, BO)
    for _ in range(5):
        types(elsa, group.pk)
    assert receive(bo) == typing_event(group.pk)
    assert receives_nothing_from(elsa, bo, BO)  # the rate is limited per conversation


def test_a_removed_member_does_not_receive_typing_in_spite_of_the_cache(
    port_with: PortWith, people: People
) -> None:
    remembers = SocketLimits(typing_seconds=0, membership_seconds=3600)
    elsa, bo, alva = people(port_with(remembers), ELSA, BO, ALVA)
    group = group_of(ELSA, BO, ALVA)
    types(elsa, group.pk)
    assert receive(bo) == receive(alva) == typing_event(group.pk)

    Membership.objects.filter(conversation=group, account=account(ALVA)).delete()
    news = ConversationRemoved(conversationId=uuid4().hex)  # any event of a conversation will do
    publish_on_commit([Delivery.to_accounts([account(ELSA).pk], news)])
    assert receive(elsa)["type"] == "conversation.removed"

    types(elsa, group.pk)
    assert receive(bo) == typing_event(group.pk)
    assert receives_nothing_from(elsa, alva, ALVA)
