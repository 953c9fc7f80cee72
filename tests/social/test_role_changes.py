"""A pupil becomes an adult at the school, or an adult a pupil: what they could not begin ends."""

from typing import Any

import pytest
from django.db import connection, transaction
from pytest_django.fixtures import Settings

from social.models import Conversation, Membership
from tests.abuse.people import ask, become_friends
from tests.concurrency import crowd, wait_until
from tests.conftest import Caller, signed_in
from tests.social.cast import CONVERSATIONS, Cast, Person
from tests.social.factories import account, group_of
from tests.social.friend_requests import befriend, code_of
from upstream.simulator.people import Role
from upstream.simulator.server import Simulator

SCHOOL = "bjorkdalen"


@pytest.fixture(autouse=True)
def every_request_is_validated(settings: Settings) -> None:
    settings.SESSION_CHECK_SECONDS = 0


def becomes(simulator: Simulator, person: Person, role: Role) -> None:
    """The school gives somebody another role, and their next request tells the service."""
    state = simulator.state
    state.change_role(state.person(SCHOOL, person.username), role)
    assert person.get("/api/session").json()["role"] == role


def friends_of(person: Person) -> set[str]:
    answer = person.get("/api/friends").json()
    return {row["userA"] for row in answer["friends"]} | {row["userB"] for row in answer["friends"]}


def members_of(person: Person, group: Any) -> list[str]:
    return sorted(person.sees(group)["participants"])


def test_who_has_become_a_teacher_writes_to_no_unknown_pupil(
    cast: Cast, simulator: Simulator
) -> None:
    dm = cast.bo.dm(cast.elsa)
    cast.bo.send(dm, "Hej")
    becomes(simulator, cast.bo, "teacher")
    refused = cast.bo.post(CONVERSATIONS, {"targetUsername": cast.alva.username})
    assert code_of(refused) == (403, "dm_refused")
    path = f"{CONVERSATIONS}/{dm['id']}/messages"
    assert code_of(cast.bo.post(path, {"content": "Hej"})) == (403, "dm_refused")
    assert code_of(ask(cast.bo, cast.alva)) == (403, "request_refused")


def test_they_leave_the_groups_with_pupils_who_are_no_friends(
    cast: Cast, simulator: Simulator
) -> None:
    become_friends(cast.elsa, cast.bo)
    become_friends(cast.elsa, cast.alva)
    with_stranger, with_friend = cast.elsa.group(cast.bo, cast.alva), cast.elsa.group(cast.bo)
    own = cast.bo.group(cast.elsa)
    becomes(simulator, cast.bo, "teacher")
    assert cast.bo.read(with_stranger).status_code == 404
    assert members_of(cast.elsa, with_stranger) == sorted([cast.elsa.username, cast.alva.username])
    for group in (with_friend, own):  # Elsa had asked Bo to become friends
        assert members_of(cast.elsa, group) == sorted([cast.elsa.username, cast.bo.username])


def test_friendships_that_they_asked_for_end(cast: Cast, simulator: Simulator) -> None:
    """A pupil begins contact with an adult. What two pupils began, the other may begin again."""
    become_friends(cast.bo, cast.elsa)
    become_friends(cast.alva, cast.bo)
    group = cast.elsa.group(cast.bo)
    becomes(simulator, cast.bo, "teacher")
    assert friends_of(cast.bo) == {cast.bo.username, cast.alva.username}
    assert friends_of(cast.elsa) == set()
    assert cast.bo.read(group).status_code == 404


def test_open_requests_to_pupils_are_withdrawn(cast: Cast, simulator: Simulator) -> None:
    assert ask(cast.bo, cast.elsa).status_code == 201
    assert ask(cast.bo, cast.teacher).status_code == 201
    assert ask(cast.alva, cast.bo).status_code == 201
    becomes(simulator, cast.bo, "teacher")
    assert cast.elsa.get("/api/friends").json()["received"] == []
    own = cast.bo.get("/api/friends").json()
    assert [row["requestedBy"] for row in own["received"]] == [cast.alva.username]
    assert len(own["sent"]) == 1


def test_open_invites_of_pupils_who_are_no_friends_are_withdrawn(
    cast: Cast, simulator: Simulator
) -> None:
    become_friends(cast.bo, cast.guardian)
    become_friends(cast.alva, cast.bo)
    group = cast.bo.group(cast.guardian)
    assert cast.bo.invite(group, cast.elsa).status_code == 201
    assert cast.bo.invite(group, cast.alva).status_code == 201
    becomes(simulator, cast.bo, "teacher")
    assert cast.elsa.invites() == []
    assert len(cast.alva.invites()) == 1


def test_who_was_invited_by_a_pupil_reads_again_whom_they_would_meet(
    cast: Cast, simulator: Simulator
) -> None:
    become_friends(cast.elsa, cast.bo)
    become_friends(cast.elsa, cast.omer)
    group = cast.elsa.group(cast.bo, cast.omer)
    assert cast.elsa.invite(group, cast.alva).status_code == 201
    (invite,) = cast.alva.invites()
    assert cast.omer.do(group, "leave").status_code == 200
    becomes(simulator, cast.bo, "teacher")
    assert code_of(cast.alva.answer(invite)) == (409, "members_changed")
    (invite,) = cast.alva.invites()
    assert cast.alva.answer(invite).status_code == 200


def test_an_adult_who_has_become_a_pupil_leaves_unknown_adults(
    cast: Cast, simulator: Simulator
) -> None:
    become_friends(cast.teacher, cast.guardian)
    group = cast.teacher.group(cast.guardian)
    becomes(simulator, cast.teacher, "student")
    # The friendship was asked for by who is a pupil now.
    assert members_of(cast.guardian, group) == sorted(
        [cast.guardian.username, cast.teacher.username]
    )
    becomes(simulator, cast.teacher, "teacher")
    becomes(simulator, cast.guardian, "student")
    assert cast.guardian.read(group).status_code == 404


def test_nothing_ends_where_the_operator_lifted_the_rule(
    cast: Cast, simulator: Simulator, settings: Settings
) -> None:
    settings.ADULT_DM_PUPIL = True
    become_friends(cast.bo, cast.elsa)
    group = cast.bo.group(cast.elsa)
    becomes(simulator, cast.bo, "teacher")
    assert cast.bo.read(group).status_code == 200
    assert friends_of(cast.elsa) == {cast.bo.username, cast.elsa.username}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks no rows")
@pytest.mark.django_db(transaction=True)
def test_their_groups_are_locked_in_the_order_in_which_others_lock_them(
    elsa: Caller, bo: Caller, simulator: Simulator
) -> None:
    """Who blocks somebody locks the groups of the two by their ids. A change of role that held a
    later one, because of one friendship, would wait for the block, and the block for it."""
    signed_in("alva.lind")
    befriend(elsa, "elsa.nordvall", bo, "bo.ek")
    groups = [group_of("elsa.nordvall", "bo.ek"), group_of("elsa.nordvall", "alva.lind")]
    first, last = sorted(group.pk for group in groups)
    # The friend of Elsa, whose friendship ends first, is in the later group.
    Membership.objects.filter(account=account("bo.ek")).update(conversation=last)
    Membership.objects.filter(account=account("alva.lind")).update(conversation=first)
    simulator.state.change_role(simulator.state.person(SCHOOL, "elsa.nordvall"), "teacher")
    with crowd(1) as start:
        with transaction.atomic():
            Conversation.objects.select_for_update(no_key=True).get(pk=first)
            changing = start(lambda: elsa.get("/api/session"))
            wait_until(_somebody_waits_for_a_lock)
            Conversation.objects.select_for_update(no_key=True, nowait=True).get(pk=last)
        assert changing.result(20).json()["role"] == "teacher"


def _somebody_waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        # In a transaction the list of backends stays what it was when it was first read.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])
