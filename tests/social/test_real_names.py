"""Wherever a display name is shown, the kind of person is, and the school's name of them where the
display name reads differently."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Profile
from tests.social.cast import CONVERSATIONS, Cast, Person, befriend, block, privacy
from tests.social.conftest import Sockets
from tests.social.factories import group_of
from tests.social.socket_frames import receive

TEACHERS_NAME = "Torbjörn Ekvik"


def rename(person: Person, name: str) -> None:
    """Give them this display name, as it may have been chosen before it was refused."""
    Profile.objects.filter(account=person.account_id).update(display_name=name)


def everywhere(reader: Person, conversation: Any) -> list[Any]:
    """The conversation as each route shows it to the reader."""
    synced = reader.post("/api/sync", {"conversations": {}}).json()["conversations"]
    listed = [*reader.list(), *synced]
    same = [shown for shown in listed if shown["id"] == conversation["id"]]
    assert len(same) == 2
    return [*same, reader.sees(conversation)]


def test_a_conversation_says_what_kind_of_person_each_member_is(cast: Cast) -> None:
    befriend(cast.elsa, cast.teacher, cast.guardian)
    group = cast.elsa.group(cast.teacher, cast.guardian)
    for shown in [group, *everywhere(cast.elsa, group)]:
        assert shown["participantTypes"] == {
            cast.elsa.username: "student",
            cast.teacher.username: "teacher",
            cast.guardian.username: "guardian",
        }
        assert shown["participantRealNames"] == {}


def test_a_conversation_shows_the_real_name_of_who_calls_themselves_otherwise(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    rename(bo, TEACHERS_NAME)
    for shown in everywhere(elsa, dm):
        assert shown["participantNames"][bo.username] == TEACHERS_NAME
        assert shown["participantTypes"][bo.username] == "student"
        assert shown["participantRealNames"] == {bo.username: "Bo Ek"}


@pytest.mark.parametrize("name", ["bo ek", "BO  EK", "Bо Ek", "𝐁𝐨 𝐄𝐤"])
def test_a_name_that_only_looks_the_same_does_not_read_differently(cast: Cast, name: str) -> None:
    dm = cast.elsa.dm(cast.bo)
    rename(cast.bo, name)
    assert cast.elsa.sees(dm)["participantRealNames"] == {}


def test_whose_name_is_hidden_is_shown_by_username_and_real_name(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    rename(bo, TEACHERS_NAME)
    block(elsa, bo)
    shown = elsa.sees(dm)
    assert shown["participantNames"][bo.username] == bo.username
    assert shown["participantRealNames"] == {bo.username: "Bo Ek"}


def test_somebody_of_whom_the_school_gives_no_name_has_no_real_name(cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    Profile.objects.filter(account=cast.bo.account_id).update(first_name="", last_name=" ")
    rename(cast.bo, "Bosse")
    assert cast.elsa.sees(dm)["participantRealNames"] == {}


def test_real_names_take_no_queries_of_their_own(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo, cast.alva, cast.omer)
    group = cast.elsa.group(cast.bo)
    with CaptureQueriesContext(connection) as for_two:
        cast.elsa.list()
    for person in (cast.alva, cast.omer):
        cast.elsa.do(group, "add_member", targetUsername=person.username)
        rename(person, f"{person.username} annars")
    with CaptureQueriesContext(connection) as for_four:
        (shown,) = cast.elsa.list()
    assert len(shown["participantRealNames"]) == 2
    assert len(for_four) == len(for_two)


def test_events_of_a_conversation_and_of_a_name_say_it_too(sockets: Sockets, cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    befriend(elsa, bo)
    group = {"id": group_of(elsa.username, bo.username).pk.hex}
    connection = sockets.ready(elsa)
    assert bo.put("/api/profile", {"displayName": "Bosse"}).status_code == 200
    heard = receive(connection)
    assert heard == {
        "type": "profile.updated",
        "username": bo.username,
        "displayName": "Bosse",
        "userType": "student",
        "realName": "Bo Ek",
        "pfpUrl": "",
    }
    assert elsa.do(group, "rename", groupName="Falkarna").status_code == 200
    shown = receive(connection)["conversation"]
    assert shown["participantRealNames"] == {bo.username: "Bo Ek"}
    assert shown["participantTypes"] == {elsa.username: "student", bo.username: "student"}


WHO_BO_IS = ("bo.ek", TEACHERS_NAME, "student", "Bo Ek")


def shown_author(message: Any) -> tuple[Any, ...]:
    """Who wrote it, as a message or a quote says."""
    names = ("senderUsername", "senderDisplayName", "senderUserType", "senderRealName")
    return tuple(message[name] for name in names)


def test_a_message_and_a_quote_say_who_wrote_them(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    dm = elsa.dm(bo)
    rename(bo, TEACHERS_NAME)
    sent = bo.send(dm, "Provet är inställt")
    path = f"{CONVERSATIONS}/{dm['id']}/messages"
    reply = {"content": "Säkert?", "replyTo": {"messageId": sent["id"]}}
    replied = elsa.post(path, reply).json()["message"]
    assert shown_author(sent) == shown_author(replied["replyTo"]) == WHO_BO_IS
    assert shown_author(replied) == (elsa.username, "Elsa Nordvall", "student", None)
    synced = elsa.post("/api/sync", {"conversations": {}}).json()["messages"][dm["id"]]
    read = elsa.read(dm).json()["messages"]
    for first, second in (synced, read):
        assert shown_author(first) == shown_author(second["replyTo"]) == WHO_BO_IS


def test_an_event_of_a_message_says_who_wrote_it(sockets: Sockets, cast: Cast) -> None:
    dm = cast.elsa.dm(cast.bo)
    rename(cast.bo, TEACHERS_NAME)
    connection = sockets.ready(cast.elsa)
    cast.bo.send(dm, "Provet är inställt")
    assert shown_author(receive(connection)["message"]) == WHO_BO_IS


def test_so_do_profiles_the_search_and_the_list_of_friends(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    befriend(elsa, bo)
    assert elsa.get("/api/profile/bo.ek").json()["profile"]["realName"] is None
    assert bo.put("/api/profile", {"displayName": "Bosse"}).json()["profile"]["realName"] == "Bo Ek"
    profiles = (bo.get("/api/profile"), elsa.get("/api/profile/bo.ek"))
    shown = [answer.json()["profile"] for answer in profiles]
    shown += elsa.get("/api/users/search?q=bosse").json()["users"]
    shown += elsa.get("/api/people/staff?q=bosse").json()["users"]
    shown += [elsa.get("/api/friends").json()["profileMap"]["bo.ek"]]
    assert len(shown) == 5
    for person in shown:
        names = (person["displayName"], person["realName"], person["userType"])
        assert names == ("Bosse", "Bo Ek", "student")


def test_a_list_of_blocks_says_what_kind_of_person_each_is(cast: Cast) -> None:
    block(cast.elsa, cast.teacher)
    (shown,) = cast.elsa.get("/api/blocks").json()["blocks"]
    assert (shown["displayName"], shown["userType"]) == (TEACHERS_NAME, "teacher")


def test_an_invite_says_what_kind_of_person_invites(cast: Cast) -> None:
    befriend(cast.elsa, cast.teacher)
    privacy(cast.teacher, "nobody")
    cast.elsa.group(cast.teacher)
    (invite,) = cast.teacher.invites()
    assert invite["invitedByUserType"] == "student"
