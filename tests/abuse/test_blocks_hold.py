"""A block is not walked around."""

from typing import Any

import pytest
from django.core.management import call_command

from tests.abuse.conftest import Later
from tests.abuse.people import (
    BLOCKS,
    NOT_FOUND,
    REFUSED,
    Everybody,
    ask,
    become_friends,
    block,
    change,
    code_of,
    own_lists,
    part,
    write,
)
from tests.social.cast import Person
from tests.social.conftest import OpenSocket
from tests.social.socket_frames import receive, receive_ready
from upstream.simulator.server import Simulator

PICTURE_AND_NAME = {"displayName", "pfpUrl"}


def assert_out_of_reach(bo: Person, elsa: Person) -> None:
    """Bo reaches Elsa by no way, and does not find her."""
    name = elsa.username
    assert code_of(bo.post("/api/conversations", {"targetUsername": name})) == REFUSED
    assert code_of(ask(bo, elsa)) == NOT_FOUND
    assert code_of(bo.get(f"/api/profile/{name}")) == NOT_FOUND
    assert bo.get(f"/api/users/search?q={name}").json()["users"] == []
    elsa.patch("/api/presence")
    assert bo.get(f"/api/presence?users={name}").json()["presences"] == {name: "offline"}


def test_erasing_the_account_does_not_lose_a_block(cast: Everybody) -> None:
    block(cast.elsa, cast.bo)
    erased = cast.bo.delete("/api/account", {"password": "bo-demo"})
    assert erased.status_code == 200, erased.content
    again = Person("bo.ek", "bjorkdalen")
    assert again.username != "bo.ek"
    assert_out_of_reach(again, cast.elsa)


def test_an_erasure_by_command_does_not_lose_a_block_either(cast: Everybody) -> None:
    block(cast.elsa, cast.bo)
    call_command("erase_account", cast.bo.username, "--yes")
    again = Person("bo.ek", "bjorkdalen")
    assert_out_of_reach(again, cast.elsa)
    # It is Elsa's, and she can end it.
    assert cast.elsa.delete(BLOCKS, {"targetUsername": again.username}).status_code == 200
    assert again.get(f"/api/profile/{cast.elsa.username}").status_code == 200


def test_unblocking_does_not_lift_the_block_of_the_other(cast: Everybody) -> None:
    block(cast.elsa, cast.bo)
    cast.bo.post(BLOCKS, {"targetUsername": cast.elsa.username})
    for _ in range(2):
        assert cast.bo.delete(BLOCKS, {"targetUsername": cast.elsa.username}).status_code == 200
    assert_out_of_reach(cast.bo, cast.elsa)


@pytest.mark.parametrize("who", ["blocked me", "is suspended"])
def test_blocking_somebody_shows_no_name_that_was_hidden(cast: Everybody, who: str) -> None:
    if who == "blocked me":
        block(cast.elsa, cast.bo)
    else:
        call_command("suspend_account", cast.elsa.username)
    assert cast.elsa.username
    made = cast.bo.post(BLOCKS, {"targetUsername": cast.elsa.username})
    assert "Elsa Nordvall" not in made.content.decode()
    assert "Elsa Nordvall" not in cast.bo.get(BLOCKS).content.decode()


def test_a_block_ends_every_change_of_an_old_conversation(cast: Everybody) -> None:
    elsa, bo = cast.elsa, cast.bo
    become_friends(elsa, bo)
    dm = elsa.dm(bo)
    messages = {person.username: person.send(dm, "Hej") for person in (elsa, bo)}
    block(elsa, bo)
    for person, other in ((elsa, bo), (bo, elsa)):
        assert write(person, dm) == REFUSED
        own, theirs = messages[person.username], messages[other.username]
        assert change(person, own, "edit", content="Kom") == REFUSED
        assert change(person, theirs, "add_reaction", emoji="🦉") == REFUSED


def test_a_common_friend_does_not_bring_two_together(cast: Everybody) -> None:
    for friend in (cast.elsa, cast.bo):
        become_friends(cast.omer, friend)
    block(cast.elsa, cast.bo)
    made = cast.omer.group(cast.elsa, cast.bo)
    joined = [person for person in (cast.elsa, cast.bo) if person.read(made).status_code == 200]
    assert len(joined) < 2
    group = cast.omer.group(cast.bo)
    added = cast.omer.do(group, "add_member", targetUsername=cast.elsa.username)
    assert added.status_code in (200, 201), added.content
    invite = next(one for one in cast.elsa.invites() if one["conversationId"] == group["id"])
    assert [one["username"] for one in invite["members"]] == [cast.omer.username]
    assert invite["hiddenMembers"] == 1
    assert cast.elsa.answer(invite, accept=False).status_code == 200
    assert cast.elsa.read(group).status_code == 404


def test_a_second_account_at_another_school_cannot_write(cast: Everybody) -> None:
    block(cast.elsa, cast.alva)
    second = Person("alva.lind", "nyvang")
    become_friends(second, cast.zoe)
    group = second.group(cast.zoe, groupName="Kom till bron")
    opened = second.post("/api/conversations", {"targetUsername": cast.elsa.username})
    assert code_of(opened) == REFUSED
    assert code_of(second.invite(group, cast.elsa)) == REFUSED
    cast.elsa.patch("/api/presence")
    seen = second.get(f"/api/presence?users={cast.elsa.username}").json()["presences"]
    assert set(seen.values()) == {"offline"}
    assert "Kom till bron" not in own_lists(cast.elsa)


def test_a_declined_request_is_not_forgotten_by_a_block(cast: Everybody, later: Later) -> None:
    elsa, bo = cast.elsa, cast.bo
    assert ask(bo, elsa).status_code == 201
    elsa.patch("/api/friends", {"fromUsername": bo.username, "accept": False})
    block(bo, elsa)
    bo.delete(BLOCKS, {"targetUsername": elsa.username})
    part(bo, elsa)
    assert code_of(ask(bo, elsa)) == (409, "asked_recently")
    with later(bo, days=31):
        assert ask(bo, elsa).status_code == 201


def test_a_new_name_is_not_sent_across_a_block(
    port: int, simulator: Simulator, open_socket: OpenSocket
) -> None:
    cast = Everybody()
    for friend in (cast.elsa, cast.bo):
        become_friends(cast.omer, friend)
    group = cast.omer.group(cast.elsa, cast.bo)
    block(cast.elsa, cast.bo)
    for changed, other in ((cast.elsa, cast.bo), (cast.bo, cast.elsa)):
        with open_socket(port, other) as connection:
            receive_ready(connection)
            assert changed.put("/api/profile", {"displayName": "Kom till bron"}).status_code == 200
            cast.omer.send(group, "Hej")  # events to one person arrive in order
            kinds = [receive(connection)["type"]]
            while kinds[-1] != "message.created":
                kinds.append(receive(connection)["type"])
        assert "profile.updated" not in kinds


def test_a_block_that_was_kept_for_an_erased_person_is_not_a_list_of_names(
    cast: Everybody,
) -> None:
    block(cast.elsa, cast.bo)
    call_command("erase_account", cast.bo.username, "--yes")
    listed: Any = cast.elsa.get(BLOCKS).json()["blocks"]
    assert [one for one in listed if one["displayName"] == "Bo Ek"] == []
