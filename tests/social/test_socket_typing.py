"""`typing`: who receives it, who does not, and how often."""

import json
from collections.abc import Callable
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from websockets.sync.client import ClientConnection

from accounts.models import Profile
from social.limits import SocketLimits
from social.models import Block, Friendship, Membership, Message
from tests.social.cast import befriend_accounts
from tests.social.conftest import OpenSocket, SignIn
from tests.social.factories import account, dm_of, group_of
from tests.social.socket_frames import answers_ping, receive

PortWith = Callable[[SocketLimits], int]
People = Callable[..., list[ClientConnection]]
ELSA, BO, ALVA = "elsa.nordvall", "bo.ek", "alva.lind"
TEACHER, GUN = "torbjörn.ekvik", "gun.nordvall"
# Every frame is passed on.
ALWAYS = SocketLimits(typing_seconds=0)


@pytest.fixture
def people(sign_in: SignIn, ready_socket: OpenSocket) -> People:
    """A socket for each of these, open."""
    sign_in(GUN)

    def go(port: int, *names: str) -> list[ClientConnection]:
        return [ready_socket(port, sign_in(name)) for name in names]

    return go


def types(connection: ClientConnection, conversation_id: UUID) -> None:
    connection.send(json.dumps({"type": "typing", "conversationId": conversation_id.hex}))


def typing_event(conversation_id: UUID, username: str = ELSA) -> dict[str, str]:
    return {"type": "typing", "conversationId": conversation_id.hex, "username": username}


def receives_nothing_from(
    speaker: ClientConnection, listener: ClientConnection, person: str, name: str = ELSA
) -> bool:
    """Whether the listener, `person`, has received none of the frames that the speaker, `name`,
    sent before.

    The background tasks of a socket run in order, and so do events to one account. In a group of
    three nothing but a block stops typing.
    """
    proof = group_of(name, person, GUN)
    types(speaker, proof.pk)
    return receive(listener) == typing_event(proof.pk, name)


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
    group = group_of(*([BO] if where == "strangers" else [ELSA, BO, GUN]))
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
    elsa, bo, alva = people(port_with(ALWAYS), ELSA, BO, ALVA)
    dm = dm_of(ELSA, BO)
    types(elsa, dm.pk)
    assert receive(bo) == typing_event(dm.pk)
    blocked = account(BO if blocker == ELSA else ELSA)
    Block.objects.create(blocker=account(blocker), blocked=blocked)
    types(elsa, dm.pk)
    assert receives_nothing_from(elsa, alva, ALVA)  # who has it after that
    assert receives_nothing_from(alva, bo, BO, ALVA)


def test_a_second_typing_frame_at_once_is_dropped(port_with: PortWith, people: People) -> None:
    elsa, bo = people(port_with(SocketLimits(typing_seconds=3600)), ELSA, BO)
    group = group_of(ELSA, BO)
    for _ in range(5):
        types(elsa, group.pk)
    assert receive(bo) == typing_event(group.pk)
    assert receives_nothing_from(elsa, bo, BO)  # the rate is limited per conversation


@pytest.mark.parametrize("privacy", ["friends", "nobody"])
def test_privacy_stops_typing_in_a_direct_conversation(
    port_with: PortWith, people: People, privacy: str
) -> None:
    elsa, bo = people(port_with(ALWAYS), ELSA, BO)
    dm = dm_of(ELSA, BO)
    types(elsa, dm.pk)
    assert receive(bo) == typing_event(dm.pk)
    Profile.objects.filter(account=account(BO)).update(dm_privacy=privacy)
    types(elsa, dm.pk)
    assert receives_nothing_from(elsa, bo, BO)
    types(bo, dm.pk)  # whose own privacy it is
    assert receive(elsa) == typing_event(dm.pk, BO)


def test_typing_of_an_adult_reaches_a_pupil_as_a_message_would(
    port_with: PortWith, people: People
) -> None:
    teacher, elsa = people(port_with(ALWAYS), TEACHER, ELSA)
    befriend_accounts(account(TEACHER).pk, account(ELSA).pk)
    dm = dm_of(TEACHER, ELSA)
    types(teacher, dm.pk)
    assert receive(elsa) == typing_event(dm.pk, TEACHER)
    Friendship.objects.update(status="ended", ended_at=timezone.now())
    types(teacher, dm.pk)
    assert receives_nothing_from(teacher, elsa, ELSA, TEACHER)
    types(elsa, dm.pk)
    assert receive(teacher) == typing_event(dm.pk)
    Message.objects.create(
        conversation=dm, sender=account(ELSA), seq=1, revision=1, created_at=timezone.now()
    )
    types(teacher, dm.pk)
    assert receive(elsa) == typing_event(dm.pk, TEACHER)


def test_a_removed_member_does_not_receive_typing(port_with: PortWith, people: People) -> None:
    elsa, bo, alva = people(port_with(ALWAYS), ELSA, BO, ALVA)
    group = group_of(ELSA, BO, ALVA)
    types(elsa, group.pk)
    assert receive(bo) == receive(alva) == typing_event(group.pk)

    Membership.objects.filter(conversation=group, account=account(ALVA)).delete()
    types(elsa, group.pk)
    assert receive(bo) == typing_event(group.pk)
    assert receives_nothing_from(elsa, alva, ALVA)
