"""Who may meet whom holds for an import, too: blocks, adults and pupils, other schools."""

from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from accounts.models import Account
from social.models import Block, Conversation, Friendship, Membership, Message
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
from tests.social.cast import Cast, befriend, block, part, privacy

PEOPLE = [person(each) for each in (ELSA, BO, ALVA, TEACHER, ZOE, KARIN)]
ADULT_ASKED = "An adult asked a pupil: the pupil has to ask."
NEITHER = (
    "Neither of the two may write to the other: they are of different schools and no friends, "
    "there is a block, or they accept no messages."
)
UNKNOWN_ADULT = (
    "An adult writes to a pupil who is no friend and has not written to them in the 30 days before."
)


def reasons(tmp_path: Path, *rows: Any) -> dict[str, str]:
    return run(tmp_path, *PEOPLE, *rows).reasons


def test_friends_are_friends_after_the_first_sign_in(caller: Caller, tmp_path: Path) -> None:
    done = run(tmp_path, *PEOPLE, friendship(ELSA, BO), friendship(ELSA, TEACHER))
    assert done.counts("friendship") == (2, 0, 0, 0)
    caller.sign_in()
    found = caller.get("/api/friends").json()
    assert {each["requestedBy"] for each in found["friends"]} == {"elsa.nordvall"}
    assert set(found["profileMap"]) == {"bo.ek", "torbjörn.ekvik"}
    assert found["friends"][0]["createdAt"] <= ago(days=89)


FRIENDSHIPS: dict[str, tuple[dict[str, Any], str]] = {
    "an adult asked": (friendship(TEACHER, ELSA), ADULT_ASKED),
    "a pending request": (friendship(ELSA, BO, status="pending"), "status: "),
    "asked by a third": (
        friendship(ELSA, BO, requestedBy=ALVA),
        "requestedBy: This is not one of the two.",
    ),
    "with nobody": (friendship(ELSA, "x"), "There is no person 'x' before this line."),
    "with oneself": (friendship(ELSA, ELSA), "The two are one person here."),
    "tomorrow": (friendship(ELSA, BO, createdAt=ago(days=-1)), "createdAt: This is in the future."),
}


@pytest.mark.parametrize(("row", "reason"), FRIENDSHIPS.values(), ids=FRIENDSHIPS)
def test_a_friendship_is_refused(
    caller: Caller, tmp_path: Path, row: dict[str, Any], reason: str
) -> None:
    assert reasons(tmp_path, row)[row["id"]].startswith(reason)
    assert not Friendship.objects.exists()


def test_a_friendship_is_not_imported_over_a_block(cast: Cast, tmp_path: Path) -> None:
    block(cast.elsa, cast.bo)
    found = reasons(tmp_path, friendship(ELSA, BO), friendship(BO, ELSA))
    assert set(found.values()) == {"There is a block between the two."}


def test_what_ended_here_is_not_imported(cast: Cast, tmp_path: Path) -> None:
    cast.elsa.post("/api/friends", {"targetUsername": cast.bo.username})
    declined = {"fromUsername": "elsa.nordvall", "accept": False}
    cast.bo.patch("/api/friends", declined)
    run(tmp_path, *PEOPLE, friendship(ALVA, ELSA))
    part(cast.elsa, cast.alva)
    again = friendship(ELSA, ALVA) | {"id": "again"}
    assert reasons(tmp_path, friendship(BO, ELSA), again) == {
        "bo-elsa": "The request was declined here.",
        "again": "The friendship was ended here.",
    }


def test_what_ended_here_stays_ended_when_retention_has_forgotten_it(
    cast: Cast, tmp_path: Path
) -> None:
    """A friendship of the file that was refused is not tried again."""
    befriend(cast.elsa, cast.alva)
    part(cast.elsa, cast.alva)
    cast.elsa.post("/api/friends", {"targetUsername": cast.bo.username})
    cast.bo.patch("/api/friends", {"fromUsername": "elsa.nordvall", "accept": False})
    block(cast.bo, cast.alva)
    rows = [friendship(ELSA, ALVA), friendship(BO, ELSA), friendship(ALVA, BO)]
    assert set(reasons(tmp_path, *rows)) == {"elsa-alva", "bo-elsa", "alva-bo"}
    Friendship.objects.all().delete()
    cast.bo.delete("/api/blocks?targetUsername=alva.lind")
    assert not Block.objects.exists()
    done = run(tmp_path, *PEOPLE, *rows)
    assert (done.counts("friendship"), Friendship.objects.exists()) == ((0, 3, 0, 0), False)


def test_an_open_request_stays_open(cast: Cast, tmp_path: Path) -> None:
    cast.elsa.post("/api/friends", {"targetUsername": cast.bo.username})
    found = reasons(tmp_path, friendship(ELSA, BO))
    assert found == {"elsa-bo": "One of the two has asked the other here: it is answered here."}
    assert Friendship.objects.get().status == "pending"


def test_an_adult_and_a_pupil_who_are_here_decide_here(cast: Cast, tmp_path: Path) -> None:
    run(tmp_path, *PEOPLE)
    cast.elsa.get("/api/session")
    one_is_here = friendship(ELSA, TEACHER)
    assert reasons(tmp_path, one_is_here, friendship(ELSA, BO)) == {}
    for each in (cast.teacher, cast.alva, cast.bo):
        each.get("/api/session")
    rows = [friendship(ALVA, TEACHER), friendship(ALVA, BO), one_is_here]
    assert reasons(tmp_path, *rows) == {
        "alva-torbjörn": "An adult and a pupil who have both signed in here decide here."
    }


DMS: dict[str, tuple[list[dict[str, Any]], str | None]] = {
    "pupils of one school": ([conversation("c", ELSA, BO)], None),
    "pupils of two schools": ([conversation("c", ELSA, ZOE)], NEITHER),
    "friends of two schools": ([friendship(ELSA, ZOE), conversation("c", ELSA, ZOE)], None),
    "a pupil and the teacher": ([conversation("c", ELSA, TEACHER)], None),
    "a pupil and another teacher": ([conversation("c", ELSA, KARIN)], NEITHER),
}


@pytest.mark.parametrize(("rows", "reason"), DMS.values(), ids=DMS)
def test_a_direct_conversation_needs_somebody_who_may_begin_it(
    caller: Caller, tmp_path: Path, rows: list[dict[str, Any]], reason: str | None
) -> None:
    assert reasons(tmp_path, *rows).get("c") == reason
    assert Conversation.objects.exists() is (reason is None)


def test_a_block_refuses_conversations_and_messages(cast: Cast, tmp_path: Path) -> None:
    run(tmp_path, *PEOPLE, conversation("c1", ELSA, BO))
    block(cast.elsa, cast.bo)
    block(cast.elsa, cast.alva)
    rows = [
        conversation("c1", ELSA, BO),
        message("m1", "c1", BO),
        conversation("c2", ELSA, ALVA),
        group("g", BO, ELSA),
    ]
    assert reasons(tmp_path, *rows) == {
        "m1": "There is a block between the two.",
        "c2": NEITHER,
        "g": "There is a block between 'bo' and 'elsa'.",
    }


def test_privacy_of_both_refuses_a_conversation(cast: Cast, tmp_path: Path) -> None:
    privacy(cast.elsa, "nobody")
    privacy(cast.bo, "friends")
    assert reasons(tmp_path, conversation("c", ELSA, BO)) == {"c": NEITHER}


def test_an_adult_only_answers_a_pupil(caller: Caller, tmp_path: Path) -> None:
    rows = [
        conversation("c", ELSA, TEACHER),
        message("m1", "c", TEACHER, createdAt=ago(days=100)),
        message("m2", "c", ELSA, createdAt=ago(days=99)),
        message("m3", "c", TEACHER, createdAt=ago(days=98)),
        message("m4", "c", TEACHER, createdAt=ago(days=60)),
    ]
    assert reasons(tmp_path, *rows) == {"m1": UNKNOWN_ADULT, "m4": UNKNOWN_ADULT}
    later = [message("m5", "c", TEACHER, createdAt=ago(days=97))]
    assert run(tmp_path, *PEOPLE, rows[0], *later).reasons == {}
    assert Message.objects.count() == 3


def test_a_later_answer_of_the_pupil_is_no_question(caller: Caller, tmp_path: Path) -> None:
    """Also not when the same file is read again: then all of the pupil's messages are here."""
    rows = [
        message("m1", "c", TEACHER, createdAt=ago(days=100)),
        message("m2", "c", ELSA, createdAt=ago(days=99)),
        message("m3", "c", ELSA, createdAt=ago(days=9)),
        message("m4", "c", TEACHER, createdAt=ago(days=50)),
    ]
    refused = {"m1": UNKNOWN_ADULT, "m4": UNKNOWN_ADULT}
    assert reasons(tmp_path, conversation("c", ELSA, TEACHER), *rows) == refused
    assert reasons(tmp_path, conversation("c", ELSA, TEACHER), *rows) == refused
    assert reasons(tmp_path, conversation("c", ELSA, TEACHER), *reversed(rows)) == refused


def test_the_newest_first_lets_no_adult_in(caller: Caller, tmp_path: Path) -> None:
    rows = [
        message("m2", "c", ELSA, createdAt=ago(days=99)),
        message("m1", "c", TEACHER, createdAt=ago(days=100)),
    ]
    found = reasons(tmp_path, conversation("c", ELSA, TEACHER), *rows)
    assert found == {"m1": UNKNOWN_ADULT}


def test_a_question_from_before_the_end_of_a_friendship_does_not_count(
    cast: Cast, tmp_path: Path
) -> None:
    rows = [friendship(ELSA, TEACHER), conversation("c", ELSA, TEACHER)]
    run(tmp_path, *PEOPLE, *rows, message("m1", "c", ELSA, createdAt=ago(days=1)))
    part(cast.elsa, cast.teacher)
    found = reasons(tmp_path, *rows, message("m2", "c", TEACHER, createdAt=ago(hours=1)))
    assert found == {"m2": UNKNOWN_ADULT}


def test_nor_does_one_that_is_in_the_file_with_the_answer(cast: Cast, tmp_path: Path) -> None:
    rows = [friendship(ELSA, TEACHER), conversation("c", ELSA, TEACHER)]
    run(tmp_path, *PEOPLE, *rows)
    part(cast.elsa, cast.teacher)
    found = reasons(
        tmp_path,
        *rows,
        message("m1", "c", ELSA, createdAt=ago(days=1)),
        message("m2", "c", TEACHER, createdAt=ago(hours=1)),
    )
    assert found == {"m2": UNKNOWN_ADULT}


def test_a_friend_of_a_pupil_writes(caller: Caller, tmp_path: Path) -> None:
    rows = [friendship(ELSA, TEACHER), conversation("c", ELSA, TEACHER)]
    assert reasons(tmp_path, *rows, message("m1", "c", TEACHER)) == {}


def test_a_group_does_not_bring_adults_to_pupils(caller: Caller, tmp_path: Path) -> None:
    rows = [
        group("g1", ELSA, BO, TEACHER),
        group("g2", TEACHER, KARIN),
        friendship(ELSA, TEACHER),
        group("g3", TEACHER, ELSA),
    ]
    found = reasons(tmp_path, *rows)
    assert found == {"g1": "'torbjörn' is an adult, and 'elsa' a pupil and not a friend."}


def test_an_operator_can_lift_these_rules(
    caller: Caller, tmp_path: Path, settings: Settings
) -> None:
    settings.ADULT_DM_PUPIL = True
    rows = [
        friendship(TEACHER, ELSA),
        group("g1", TEACHER, ELSA, BO),
        conversation("c", BO, TEACHER),
        message("m", "c", TEACHER),
    ]
    assert reasons(tmp_path, *rows) == {}


def test_who_was_no_pupil_loses_the_contacts_of_one(caller: Caller, tmp_path: Path) -> None:
    """In the other back end anybody may have said to be a pupil."""
    people = [person(ELSA), person(BO), person(TEACHER, userType="student"), person(KARIN)]
    done = run(
        tmp_path,
        *people,
        friendship(TEACHER, ELSA),
        friendship(BO, TEACHER),
        friendship(TEACHER, KARIN),
        group("g1", ELSA, TEACHER),
        group("g2", TEACHER, BO),
        conversation("c", TEACHER, ELSA),
        message("m", "c", TEACHER),
    )
    assert done.reasons == {}
    caller.sign_in("torbjörn.ekvik")
    friends = caller.get("/api/friends").json()["profileMap"]
    assert set(friends) == {"bo.ek", "karin.holm"}
    teacher = Account.objects.get(username="torbjörn.ekvik")
    left = Membership.objects.filter(account=teacher, conversation__type="group")
    assert [each.conversation.admin_id for each in left] == [teacher.pk]
    (dm,) = [
        each
        for each in caller.get("/api/conversations").json()["conversations"]
        if each["type"] == "dm"
    ]
    answer = caller.post(f"/api/conversations/{dm['id']}/messages", {"content": "hej"})
    assert (answer.status_code, answer.json()["code"]) == (403, "dm_refused")
