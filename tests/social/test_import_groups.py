"""Imported messages reach nobody whom they were not written for, and bring no stranger."""

from pathlib import Path
from typing import Any

from social.models import Conversation, Membership, Message, Reaction
from tests.conftest import Caller
from tests.import_files import (
    ALVA,
    BO,
    ELSA,
    KARIN,
    TEACHER,
    ZOE,
    ago,
    conversation,
    friendship,
    group,
    message,
    person,
    run,
)
from tests.social.cast import Cast, befriend, block, part

PEOPLE = [person(each) for each in (ELSA, BO, ALVA, TEACHER, ZOE, KARIN)]
JOINED = "Somebody joined here after this was written."
STRANGER = "The sender is not in the group, and could not be in one with all its members."


def reasons(tmp_path: Path, *rows: Any) -> dict[str, str]:
    return run(tmp_path, *PEOPLE, *rows).reasons


def reactions() -> set[str]:
    return set(Reaction.objects.values_list("account__username", flat=True))


def test_who_joined_here_reads_no_history_of_the_group(cast: Cast, tmp_path: Path) -> None:
    rows = [group("g", ELSA, BO), message("m1", "g", BO, "to two")]
    run(tmp_path, *PEOPLE, *rows)
    befriend(cast.elsa, cast.alva)
    shown = cast.elsa.get("/api/conversations").json()["conversations"][0]
    assert cast.elsa.invite(shown, cast.alva).status_code == 201
    (invite,) = cast.alva.invites()
    assert cast.alva.answer(invite).status_code == 200
    found = reasons(tmp_path, *rows, message("m2", "g", BO, "also to two"))
    assert found == {"m2": JOINED}
    assert cast.alva.read(shown).json()["messages"] == []
    Membership.objects.filter(account=cast.alva.account_id).delete()
    assert reasons(tmp_path, *rows, message("m3", "g", BO, "to two again")) == {}


def test_a_message_may_be_older_than_its_group(caller: Caller, tmp_path: Path) -> None:
    rows = [group("g", ELSA, BO), message("m", "g", BO, createdAt=ago(days=85))]
    assert reasons(tmp_path, *rows) == {}
    assert reasons(tmp_path, *rows, message("m2", "g", ELSA, createdAt=ago(days=84))) == {}


def test_a_group_takes_no_message_of_an_adult_who_is_no_friend(
    caller: Caller, tmp_path: Path
) -> None:
    """They were left out of the members, and wrote to them all the same."""
    rows = [
        group("g", ELSA, BO),
        message("m1", "g", TEACHER),
        message("m2", "g", ALVA, reactions={"👍": [TEACHER, BO, ALVA]}),
        friendship(ELSA, TEACHER),
        message("m3", "g", TEACHER),
        friendship(BO, TEACHER),
        message("m4", "g", TEACHER, reactions={"👍": [TEACHER]}),
    ]
    assert reasons(tmp_path, *rows) == {"m1": STRANGER, "m3": STRANGER}
    assert Message.objects.count() == 2
    assert reactions() == {"bo.ek", "alva.lind", "torbjörn.ekvik"}
    assert not Reaction.objects.filter(
        message__sender__username="alva.lind", account__username="torbjörn.ekvik"
    ).exists()


def test_a_group_takes_nothing_of_a_stranger_across_a_block(cast: Cast, tmp_path: Path) -> None:
    block(cast.bo, cast.alva)
    rows = [
        group("g", ELSA, BO),
        message("m1", "g", ALVA),
        message("m2", "g", ELSA, reactions={"👍": [ALVA, BO]}),
    ]
    assert reasons(tmp_path, *rows) == {"m1": STRANGER}
    assert reactions() == {"bo.ek"}


def test_who_is_a_member_writes_as_here(cast: Cast, tmp_path: Path) -> None:
    """A block and the end of a friendship take nobody out of a group."""
    rows = [friendship(ELSA, TEACHER), group("g", TEACHER, ELSA)]
    run(tmp_path, *PEOPLE, *rows)
    part(cast.elsa, cast.teacher)
    block(cast.elsa, cast.teacher)
    assert reasons(tmp_path, *rows, message("m", "g", TEACHER)) == {}


def test_only_the_two_react_in_a_direct_conversation(caller: Caller, tmp_path: Path) -> None:
    everybody = {"👍": [ELSA, BO, ALVA, KARIN]}
    rows = [conversation("c", ELSA, BO), message("m", "c", ELSA, reactions=everybody)]
    assert reasons(tmp_path, *rows) == {}
    assert reactions() == {"elsa.nordvall", "bo.ek"}
    assert Conversation.objects.count() == 1
