"""A display name is no message: who may not write does not reach the other with a new one."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from social.models import Block, Friendship, Message
from social.services.relations import contacts_of
from tests.accounts.images import picture, send
from tests.social.cast import CONVERSATIONS, Cast, Person, befriend, block, part
from tests.social.conftest import Sockets
from tests.social.factories import dm_of, group_of
from tests.social.socket_frames import receive

WORDS = "Kom till bron"


def rename(person: Person) -> None:
    assert person.put("/api/profile", {"displayName": WORDS}).status_code == 200


def quoted(reader: Person, writer: Person) -> Any:
    """Their conversation, with a message of the writer, which the reader answered."""
    dm = reader.dm(writer)
    message = writer.send(dm, "Hej")
    path = f"{CONVERSATIONS}/{dm['id']}/messages"
    reply = reader.post(path, {"content": "Vad?", "replyTo": {"messageId": message["id"]}})
    assert reply.status_code == 201, reply.content
    return dm


def all_that_is_shown(reader: Person, dm: Any) -> str:
    """Everything of the conversation that the reader can read, as text."""
    paths = ("", f"/{dm['id']}", f"/{dm['id']}?pinned=true", f"/{dm['id']}/messages")
    answers = [reader.get(f"{CONVERSATIONS}{path}") for path in paths]
    assert {answer.status_code for answer in answers} == {200}
    return "\n".join(answer.content.decode() for answer in answers)


@pytest.mark.parametrize("blocked_by_reader", [True, False])
def test_a_name_does_not_cross_a_block_through_an_old_conversation(
    cast: Cast, blocked_by_reader: bool
) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = quoted(elsa, bo)
    rename(bo)
    assert WORDS in all_that_is_shown(elsa, dm)
    block(*((elsa, bo) if blocked_by_reader else (bo, elsa)))
    assert WORDS not in all_that_is_shown(elsa, dm)
    assert WORDS in all_that_is_shown(bo, dm)  # his own name
    (shown,) = elsa.list()
    assert shown["participantNames"] == {elsa.username: "Elsa Nordvall", bo.username: bo.username}
    first, reply = elsa.read(dm).json()["messages"]
    assert (first["senderUsername"], first["senderDisplayName"]) == (bo.username, bo.username)
    assert reply["senderDisplayName"] == "Elsa Nordvall"
    assert (reply["replyTo"]["senderDisplayName"], reply["replyTo"]["content"]) == (
        bo.username,
        "Hej",
    )
    Block.objects.all().delete()
    assert WORDS in all_that_is_shown(elsa, dm)


def test_nor_does_a_picture(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    assert send(bo, picture(), kind="avatar").status_code == 201
    assert elsa.sees(dm)["participantPfpUrls"][bo.username] != ""
    block(elsa, bo)
    assert elsa.sees(dm)["participantPfpUrls"] == {elsa.username: "", bo.username: ""}
    assert bo.sees(dm)["participantPfpUrls"][bo.username] != ""


def test_nor_by_an_event_of_a_message(sockets: Sockets, cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    message = bo.send(dm, "Hej")
    rename(bo)
    block(elsa, bo)
    connection = sockets.ready(elsa)
    assert bo.delete(f"{CONVERSATIONS}/{dm['id']}/{message['id']}").status_code == 200
    heard = receive(connection)
    assert (heard["type"], heard["message"]["senderDisplayName"]) == (
        "message.deleted",
        bo.username,
    )


def test_a_larger_group_shows_the_names_of_its_members(cast: Cast) -> None:
    elsa, bo, alva = cast.elsa, cast.bo, cast.alva
    group = {"id": group_of(elsa.username, bo.username, alva.username).pk.hex}
    block(elsa, bo)
    assert elsa.sees(group)["participantNames"][bo.username] == "Bo Ek"
    assert alva.do(group, "leave").status_code == 200
    assert elsa.sees(group)["participantNames"][bo.username] == bo.username


def of_a_lost_friend(cast: Cast) -> Any:
    """A conversation of Elsa with a teacher, who is her friend no more."""
    befriend(cast.elsa, cast.teacher)
    dm = quoted(cast.elsa, cast.teacher)
    part(cast.elsa, cast.teacher)
    rename(cast.teacher)
    return dm


def test_an_adult_who_may_not_write_reaches_no_pupil_with_a_name(cast: Cast) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    dm = of_a_lost_friend(cast)
    assert WORDS not in all_that_is_shown(elsa, dm)
    assert elsa.sees(dm)["participantNames"][teacher.username] == teacher.username
    assert teacher.sees(dm)["participantNames"][elsa.username] == "Elsa Nordvall"
    assert elsa.account_id not in contacts_of(teacher.account_id)
    assert teacher.account_id in contacts_of(elsa.account_id)
    assert elsa.patch("/api/presence").status_code == 200
    presences = teacher.get(f"/api/presence?users={elsa.username}").json()["presences"]
    assert presences == {elsa.username: "offline"}


def test_they_do_while_they_may_answer(cast: Cast) -> None:
    elsa, teacher = cast.elsa, cast.teacher
    dm = of_a_lost_friend(cast)
    elsa.send(dm, "Hej")
    assert WORDS in all_that_is_shown(elsa, dm)
    assert elsa.account_id in contacts_of(teacher.account_id)
    Message.objects.update(created_at=timezone.now() - timedelta(days=31))
    assert WORDS not in all_that_is_shown(elsa, dm)
    assert elsa.account_id not in contacts_of(teacher.account_id)


@pytest.mark.parametrize("way", ["friends again", "setting"])
def test_they_do_where_they_may_write(cast: Cast, settings: Settings, way: str) -> None:
    dm = of_a_lost_friend(cast)
    if way == "setting":
        settings.ADULT_DM_PUPIL = True
    else:
        Friendship.objects.update(status=Friendship.ACCEPTED, ended_at=None)
    assert WORDS in all_that_is_shown(cast.elsa, dm)
    assert cast.elsa.account_id in contacts_of(cast.teacher.account_id)


def test_a_larger_group_hears_of_the_new_name_of_an_adult(cast: Cast) -> None:
    dm_of(cast.elsa.username, cast.teacher.username)
    group_of(cast.elsa.username, cast.teacher.username)
    assert contacts_of(cast.teacher.account_id) == {cast.teacher.account_id}
    group_of(cast.elsa.username, cast.teacher.username, cast.guardian.username)
    assert cast.elsa.account_id in contacts_of(cast.teacher.account_id)
