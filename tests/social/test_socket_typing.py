"""`typing`: who receives it, who does not, and how often."""

import json
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from websockets.sync.client import ClientConnection

from social.limits import SocketLimits
from social.models import Friendship, Membership, Message
from tests.social.cast import befriend_accounts
from tests.social.conftest import Sockets, SocketsWith
from tests.social.factories import account, dm_of, group_of
from tests.social.socket_frames import answers_ping, receive

ELSA, BO, ALVA = "elsa.nordvall", "bo.ek", "alva.lind"
TEACHER, GUN = "torbjörn.ekvik", "gun.nordvall"
# Every frame is passed on.
ALWAYS = SocketLimits(typing_seconds=0)


def people(sockets: Sockets, *names: str) -> list[ClientConnection]:
    """An open socket for each of these."""
    sockets.sign_in(GUN)
    return [sockets.ready(sockets.sign_in(name)) for name in names]


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


def test_the_other_members_receive_it_and_the_sender_does_not(sockets: Sockets) -> None:
    elsa, bo, alva = people(sockets, ELSA, BO, ALVA)
    group = group_of(ELSA, BO, ALVA)
    types(elsa, group.pk)
    assert receive(bo) == receive(alva) == typing_event(group.pk)
    assert answers_ping(elsa)


def test_other_sockets_of_the_typing_account_do_not_receive_it(sockets: Sockets) -> None:
    here, there, bo = people(sockets, ELSA, ELSA, BO)
    types(here, group_of(ELSA, BO).pk)
    receive(bo)
    assert answers_ping(there)


@pytest.mark.parametrize("where", ["unknown", "strangers", "left", "closed"])
def test_typing_of_somebody_who_is_not_a_member_is_dropped(
    sockets_with: SocketsWith, where: str
) -> None:
    elsa, bo = people(sockets_with(ALWAYS), ELSA, BO)
    group = group_of(*([BO] if where == "strangers" else [ELSA, BO, GUN]))
    if where == "left":
        Membership.objects.filter(conversation=group, account=account(ELSA)).delete()
    if where == "closed":
        group.closed_at = group.created_at
        group.save()
    types(elsa, uuid4() if where == "unknown" else group.pk)
    assert receives_nothing_from(elsa, bo, BO)
    assert answers_ping(elsa)


def test_a_second_typing_frame_at_once_is_dropped(sockets_with: SocketsWith) -> None:
    elsa, bo = people(sockets_with(SocketLimits(typing_seconds=3600)), ELSA, BO)
    group = group_of(ELSA, BO)
    for _ in range(5):
        types(elsa, group.pk)
    assert receive(bo) == typing_event(group.pk)
    assert receives_nothing_from(elsa, bo, BO)  # the rate is limited per conversation


def test_typing_of_an_adult_reaches_a_pupil_as_a_message_would(sockets_with: SocketsWith) -> None:
    teacher, elsa = people(sockets_with(ALWAYS), TEACHER, ELSA)
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


def test_a_removed_member_does_not_receive_typing(sockets_with: SocketsWith) -> None:
    elsa, bo, alva = people(sockets_with(ALWAYS), ELSA, BO, ALVA)
    group = group_of(ELSA, BO, ALVA)
    types(elsa, group.pk)
    assert receive(bo) == receive(alva) == typing_event(group.pk)

    Membership.objects.filter(conversation=group, account=account(ALVA)).delete()
    types(elsa, group.pk)
    assert receive(bo) == typing_event(group.pk)
    assert receives_nothing_from(elsa, alva, ALVA)
