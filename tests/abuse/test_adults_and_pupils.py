"""An adult reaches a pupil only when the pupil has begun it."""

from typing import Any

import pytest

from tests.abuse.conftest import Later
from tests.abuse.people import (
    REFUSED,
    Everybody,
    become_friends,
    change,
    code_of,
    new_group,
    own_lists,
    part,
    write,
)
from tests.social.cast import INVITES, Person

NOT_KNOWN = (403, "adult_not_known")
WORDS = "Kom till bron"


@pytest.fixture
def old_dm(cast: Everybody) -> Any:
    """Elsa's conversation with a teacher, who was her friend until now."""
    become_friends(cast.elsa, cast.teacher)
    dm = cast.teacher.dm(cast.elsa)
    cast.elsa.send(dm, "Hej")
    return dm


@pytest.mark.parametrize("adult", ["guardian", "teacher", "karin"])
def test_a_guardian_cannot_write_by_naming_a_group(cast: Everybody, adult: str) -> None:
    person = getattr(cast, adult)
    become_friends(cast.bo, person)
    cast.elsa.patch("/api/presence")
    for members in ([cast.elsa], [cast.bo, cast.elsa]):
        refused = new_group(person, *members, groupName=WORDS, groupDescription=WORDS)
        assert code_of(refused) == REFUSED
        assert cast.elsa.username in str(refused.json()["fields"]["members"])
    assert person.list() == cast.bo.list() == []  # nothing was made
    group = person.group(cast.bo, groupName=WORDS)
    join = {"action": "add_member", "targetUsername": cast.elsa.username}
    assert code_of(person.invite(group, cast.elsa)) == REFUSED
    assert code_of(person.patch(f"/api/conversations/{group['id']}", join)) == REFUSED
    assert WORDS not in own_lists(cast.elsa)


def test_an_adult_who_was_made_admin_cannot_bring_in_pupils(cast: Everybody) -> None:
    become_friends(cast.bo, cast.guardian)
    group = cast.bo.group(cast.guardian)
    made = cast.bo.do(group, "transfer_admin", targetUsername=cast.guardian.username)
    assert made.status_code == 200, made.content
    added = cast.guardian.do(group, "add_member", targetUsername=cast.elsa.username)
    assert code_of(added) == REFUSED
    assert code_of(cast.guardian.invite(group, cast.elsa)) == REFUSED


def test_when_the_friendship_ends_so_does_the_direct_conversation(
    cast: Everybody, old_dm: Any
) -> None:
    teacher, elsa = cast.teacher, cast.elsa
    own = teacher.send(old_dm, "Hej Elsa")
    theirs = elsa.send(old_dm, "Hejdå")
    note = teacher.post("/api/notes", {"title": WORDS, "content": WORDS}).json()["note"]["id"]
    part(elsa, teacher)
    card = {"content": WORDS, "shareCard": {"type": "note", "noteId": note}}
    quote = {"content": WORDS, "replyTo": {"messageId": theirs["id"]}}
    path = f"/api/conversations/{old_dm['id']}"
    for body in (card, quote, {"content": WORDS}):
        assert code_of(teacher.post(path, body)) == REFUSED
        assert code_of(teacher.post(f"{path}/messages", body)) == REFUSED
    assert change(teacher, own, "edit", content=WORDS) == REFUSED
    assert change(teacher, theirs, "react", emoji="🦉") == REFUSED
    assert change(teacher, theirs, "add_reaction", emoji="🦉") == REFUSED
    shown = elsa.read(old_dm).json()["messages"]
    assert WORDS not in str(shown)
    assert [message["reactions"] for message in shown] == [{}, {}, {}]


def test_an_answer_of_the_pupil_opens_it_for_thirty_days(
    cast: Everybody, old_dm: Any, later: Later
) -> None:
    part(cast.elsa, cast.teacher)
    assert write(cast.teacher, old_dm) == REFUSED  # words from before are no answer
    assert write(cast.elsa, old_dm, "En fråga") == (201, "")
    assert write(cast.teacher, old_dm) == (201, "")
    with later(cast.teacher, days=29):
        assert write(cast.teacher, old_dm) == (201, "")
    with later(cast.teacher, days=31):
        assert write(cast.teacher, old_dm) == REFUSED


def test_an_adult_may_answer_a_pupil_who_wrote_first(cast: Everybody, later: Later) -> None:
    dm = cast.elsa.dm(cast.teacher)
    assert write(cast.teacher, dm) == REFUSED  # it is open, but Elsa has said nothing
    assert write(cast.elsa, dm) == (201, "")
    assert write(cast.teacher, dm) == (201, "")
    with later(cast.teacher, days=31):
        assert write(cast.teacher, dm) == REFUSED


@pytest.mark.parametrize("why", ["friends", "nobody", "block"])
def test_an_answer_lifts_neither_privacy_nor_a_block(
    cast: Everybody, old_dm: Any, why: str
) -> None:
    part(cast.elsa, cast.teacher)
    assert write(cast.elsa, old_dm) == (201, "")
    if why == "block":
        cast.elsa.post("/api/blocks", {"targetUsername": cast.teacher.username})
    else:
        assert cast.elsa.put("/api/profile", {"dmPrivacy": why}).status_code == 200
    assert write(cast.teacher, old_dm) == REFUSED


def pupils_with_a_teacher(cast: Everybody) -> Any:
    """A group of two pupils, and a teacher who is a friend of its admin only."""
    become_friends(cast.bo, cast.elsa)
    become_friends(cast.bo, cast.teacher)
    return cast.bo.group(cast.elsa)


def test_an_adult_joins_only_where_every_pupil_is_a_friend(cast: Everybody) -> None:
    group = pupils_with_a_teacher(cast)
    added = cast.bo.do(group, "add_member", targetUsername=cast.teacher.username)
    assert code_of(added) == NOT_KNOWN
    sent = cast.bo.invite(group, cast.teacher)
    if sent.status_code == 201:
        assert code_of(cast.teacher.answer(sent.json()["invite"])) == NOT_KNOWN
    else:
        assert code_of(sent) == NOT_KNOWN
    assert cast.teacher.read(group).status_code == 404
    become_friends(cast.elsa, cast.teacher)
    added = cast.bo.do(group, "add_member", targetUsername=cast.teacher.username)
    assert (added.status_code, cast.teacher.read(group).status_code) == (200, 200)


def test_a_new_group_does_not_put_an_adult_beside_strangers(cast: Everybody) -> None:
    become_friends(cast.bo, cast.elsa)
    become_friends(cast.bo, cast.teacher)
    made = new_group(cast.bo, cast.elsa, cast.teacher)
    groups = [person.list() for person in (cast.elsa, cast.teacher)]
    assert [] in groups, made.content  # never both at once, without a word of Elsa's


def invited_beside_the_teacher(cast: Everybody) -> tuple[Any, Any]:
    """Bo's group with a teacher, and its invite to Elsa, a friend of Bo's."""
    become_friends(cast.bo, cast.elsa)
    become_friends(cast.bo, cast.teacher)
    group = cast.bo.group(cast.teacher)
    added = cast.bo.do(group, "add_member", targetUsername=cast.elsa.username)
    assert added.status_code in (200, 201), added.content
    (invite,) = cast.elsa.invites()
    return group, invite


def test_a_pupil_is_asked_and_told_which_adults_are_in_a_group(cast: Everybody) -> None:
    group, invite = invited_beside_the_teacher(cast)
    assert cast.elsa.read(group).status_code == 404
    told = {one["username"]: (one["displayName"], one["userType"]) for one in invite["members"]}
    assert told == {
        "bo.ek": ("Bo Ek", "student"),
        cast.teacher.username: ("Torbjörn Ekvik", "teacher"),
    }
    assert invite["hiddenMembers"] == 0
    assert cast.elsa.answer(invite).json()["joined"] is True
    assert cast.elsa.read(group).status_code == 200


def test_an_adult_who_joins_meanwhile_is_seen_before_accepting(cast: Everybody) -> None:
    become_friends(cast.bo, cast.teacher)
    become_friends(cast.bo, cast.omer)
    become_friends(cast.omer, cast.teacher)
    group = cast.bo.group(cast.omer)
    assert cast.bo.invite(group, cast.elsa).status_code == 201
    (invite,) = cast.elsa.invites()
    assert adults_in(invite) == []
    added = cast.bo.do(group, "add_member", targetUsername=cast.teacher.username)
    assert added.status_code == 200, added.content
    assert code_of(cast.elsa.answer(invite)) == (409, "members_changed")
    assert cast.elsa.read(group).status_code == 404
    (invite,) = cast.elsa.get(INVITES).json()["invites"]
    assert adults_in(invite) == ["Torbjörn Ekvik"]
    assert cast.elsa.answer(invite).json()["joined"] is True


def adults_in(invite: Any) -> list[str]:
    return [one["displayName"] for one in invite["members"] if one["userType"] != "student"]


@pytest.mark.parametrize("again", [False, True])
def test_a_request_of_an_adult_carries_no_name(cast: Everybody, again: bool) -> None:
    elsa, guardian = cast.elsa, cast.guardian
    if again:
        become_friends(elsa, guardian)
        part(guardian, elsa)
    assert guardian.put("/api/profile", {"displayName": WORDS}).status_code == 200
    asked = guardian.post("/api/friends", {"targetUsername": elsa.username})
    assert code_of(asked) == (403, "request_refused")
    assert WORDS not in own_lists(elsa)


def test_two_adults_and_two_pupils_may_ask_each_other(cast: Everybody) -> None:
    pairs: list[tuple[Person, Person]] = [
        (cast.teacher, cast.guardian),
        (cast.elsa, cast.bo),
        (cast.elsa, cast.karin),
    ]
    for one, other in pairs:
        become_friends(one, other)
