"""/api/presence: the age of the last heartbeat, and who may see it."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from accounts.services.suspension import suspend_account
from social.models import Conversation, Presence
from social.services.presence import purge_presences
from tests.conftest import Caller, signed_in
from tests.social.factories import dm_of, group_of
from tests.social.friend_requests import ask, befriend, block, code_of

PATH = "/api/presence"
ELSA, BO = "elsa.nordvall", "bo.ek"
NOW = 1_772_000_000


@pytest.fixture
def bo(elsa: Caller) -> Caller:
    """Bo, who has a conversation with Elsa."""
    caller = signed_in(BO)
    dm_of(ELSA, BO)
    return caller


def beat(caller: Caller, status: str | None = None) -> str:
    """Send a heartbeat; the status in the answer."""
    sent = caller.patch(PATH, {"status": status} if status else None)
    assert sent.status_code == 200, sent.content
    return str(sent.json()["status"])


def seen(caller: Caller, *names: str) -> Any:
    found = caller.get(f"{PATH}?users={','.join(names)}")
    assert found.status_code == 200, found.content
    return found.json()["presences"]


def test_without_a_heartbeat_everyone_is_offline(elsa: Caller, bo: Caller) -> None:
    assert seen(elsa, BO, "nobody.here") == {BO: "offline", "nobody.here": "offline"}


def test_it_is_shown_by_its_age(elsa: Caller, bo: Caller) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        assert beat(elsa) == "online"
        for age, status in (
            (0, "online"), (179, "online"), (180, "idle"), (900, "idle"), (901, "offline"),
        ):  # fmt: skip
            clock.move_to(NOW + age)
            assert seen(bo, ELSA) == {ELSA: status}


def test_the_status_changes_at_the_exact_millisecond(elsa: Caller, bo: Caller) -> None:
    with time_machine.travel(NOW + 0.0009, tick=False) as clock:
        beat(elsa)
        for after, status in ((179.999, "online"), (0.001, "idle"), (720, "idle")):
            clock.shift(timedelta(seconds=after))
            assert seen(bo, ELSA) == {ELSA: status}
        clock.shift(timedelta(milliseconds=1))
        assert seen(bo, ELSA) == {ELSA: "offline"}


def test_a_new_heartbeat_resets_the_age(elsa: Caller, bo: Caller) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        for _ in range(3):
            beat(elsa)
            clock.shift(timedelta(seconds=170))
        assert seen(bo, ELSA) == {ELSA: "online"}


def test_idle_is_a_heartbeat_and_offline_ends_it_at_once(elsa: Caller, bo: Caller) -> None:
    assert beat(elsa, "idle") == "online"
    assert seen(bo, ELSA) == {ELSA: "online"}
    assert beat(elsa, "offline") == "offline"
    assert seen(bo, ELSA) == {ELSA: "offline"}
    assert beat(elsa, "offline") == "offline"
    assert beat(elsa, "online") == "online"
    assert seen(bo, ELSA) == seen(elsa, ELSA) == {ELSA: "online"}


@pytest.mark.parametrize("blocker", [ELSA, BO])
def test_a_block_hides_it_both_ways(elsa: Caller, bo: Caller, blocker: str) -> None:
    beat(elsa), beat(bo)
    block(elsa, BO) if blocker == ELSA else block(bo, ELSA)
    assert seen(elsa, BO) == {BO: "offline"}
    assert seen(bo, ELSA) == {ELSA: "offline"}


@pytest.mark.parametrize(
    ("known_by", "expected"),
    [
        ("nothing", "offline"),
        ("an open request", "offline"),
        ("friendship", "online"),
        ("a friendship that ended", "offline"),
        ("dm", "online"),
        ("group", "online"),
        ("closed group", "offline"),
    ],
)
def test_only_friends_and_members_of_a_conversation_see_it(
    elsa: Caller, zoe: Caller, known_by: str, expected: str
) -> None:
    beat(elsa), beat(zoe)
    zoes = "zoe.åkerman"
    match known_by:
        case "an open request":
            ask(zoe, ELSA)
        case "friendship":
            befriend(elsa, ELSA, zoe, zoes)
        case "a friendship that ended":
            befriend(elsa, ELSA, zoe, zoes)
            elsa.delete("/api/friends", {"targetUsername": zoes})
        case "dm":
            dm_of(ELSA, zoes)
        case "group":
            group_of(ELSA, zoes)
        case "closed group":
            group = group_of(ELSA, zoes)
            Conversation.objects.filter(pk=group.pk).update(closed_at=group.created_at)
    assert seen(elsa, zoes, "nobody.here") == {zoes: expected, "nobody.here": "offline"}
    assert seen(zoe, ELSA) == {ELSA: expected}


def test_suspended_people_are_offline(elsa: Caller, bo: Caller) -> None:
    beat(bo)
    suspend_account(Account.objects.get(username=BO).pk)
    assert seen(elsa, BO) == {BO: "offline"}


def test_names_come_back_as_they_were_asked_for(elsa: Caller, bo: Caller) -> None:
    beat(bo)
    assert seen(elsa, "Bo.Ek", "%20bo.ek%20", "", "bo.ek") == {
        "Bo.Ek": "online",
        "bo.ek": "online",
    }
    assert seen(elsa, "") == {}


def test_a_hundred_people_cost_seven_queries_and_one_more_is_400(elsa: Caller, bo: Caller) -> None:
    names = [BO, *(f"pupil.{number}" for number in range(99))]
    beat(bo), beat(elsa)
    with CaptureQueriesContext(connection) as queries:
        found = seen(elsa, *names)
    assert len(queries) <= 7
    assert (len(found), found[BO]) == (100, "online")
    refused = elsa.get(f"{PATH}?users={','.join([*names, 'one.more'])}")
    assert code_of(refused) == (400, "invalid_input")
    assert code_of(elsa.get(PATH)) == (400, "invalid_input")


def written(caller: Caller, status: str) -> int:
    """Send a heartbeat; how many statements it cost that write."""
    with CaptureQueriesContext(connection) as queries:
        beat(caller, status)
    reading = ("SELECT", "SAVEPOINT", "RELEASE")
    return sum(not query["sql"].startswith(reading) for query in queries)


def test_a_heartbeat_is_written_at_most_once_a_minute(elsa: Caller, bo: Caller) -> None:
    befriend(elsa, ELSA, bo, BO)
    with time_machine.travel(NOW, tick=False) as clock:
        assert written(elsa, "online") == 1
        for seconds, statements in ((1, 0), (58.999, 0), (0.001, 1), (59, 0), (1, 1), (900, 1)):
            clock.shift(timedelta(seconds=seconds))
            assert written(elsa, "idle") == statements, seconds
            assert seen(bo, ELSA) == {ELSA: "online"}
        assert [written(elsa, "offline"), written(elsa, "offline")] == [1, 0]
        assert written(elsa, "online") == 1


def test_when_people_who_are_offline_were_last_seen_is_deleted(elsa: Caller, bo: Caller) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        beat(bo)
        clock.shift(timedelta(seconds=1))
        beat(elsa)
        clock.shift(timedelta(minutes=15))
        assert purge_presences(dry_run=True).expired == 1
        assert purge_presences().expired == 1
        assert seen(bo, ELSA, BO) == {ELSA: "idle", BO: "offline"}
    assert Presence.objects.get().account.username == ELSA


def test_any_other_status_is_400(elsa: Caller) -> None:
    wrong: list[object] = ["away", "", None, 1, ["online"], {}]
    for status in wrong:
        assert code_of(elsa.patch(PATH, {"status": status})) == (400, "invalid_input")
