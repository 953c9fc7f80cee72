"""Direct conversations: one for each pair, and who may start one."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from accounts.models import Account
from accounts.services.suspension import suspend_account
from social.access import lock_accounts
from social.errors import DmRefused
from social.models import Block, Conversation, Membership
from social.services.conversations.direct import open_dm
from tests.accounts.stored_data import store_counters
from tests.concurrency import at_once, crowd, wait_until
from tests.social.cast import (
    CONVERSATIONS,
    Cast,
    Person,
    befriend,
    block,
    part,
    privacy,
)
from tests.social.friend_requests import code_of


def ask(person: Person, other: Person) -> tuple[int, str]:
    """Status and code of the response to starting a conversation."""
    return code_of(person.post(CONVERSATIONS, {"targetUsername": other.username}))


REFUSED = (403, "dm_refused")


def test_the_first_time_creates_one_and_the_second_returns_it(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    made = elsa.post(CONVERSATIONS, {"targetUsername": bo.username})
    assert made.status_code == 201
    for person, other in ((elsa, bo), (bo, elsa)):
        body = {"type": "dm", "targetUsername": other.username.upper()}
        found = person.post(CONVERSATIONS, body)
        assert found.status_code == 200
        assert found.json() == made.json()
    assert Conversation.objects.count() == 1


def test_it_shows_both_people(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    shown = elsa.dm(bo)
    assert shown["participants"] == ["elsa.nordvall", "bo.ek"]
    assert shown["participantNames"] == {"elsa.nordvall": "Elsa Nordvall", "bo.ek": "Bo Ek"}
    assert shown["participantPfpUrls"] == {"elsa.nordvall": "", "bo.ek": ""}
    nothing = ("groupName", "groupDescription", "adminUsername", "epoch", "lastSenderUsername")
    assert [shown[name] for name in nothing] == [None] * 5
    assert (shown["type"], shown["encrypted"], shown["encryption"]) == ("dm", False, "none")
    assert (shown["lastMessage"], shown["lastSeq"], shown["unreadCount"]) == ("", 0, 0)
    assert (shown["revision"], shown["infoRevision"]) == (1, 1)
    assert shown["lastAt"] == shown["createdAt"]


@pytest.mark.parametrize("blocker", ["elsa", "bo"])
def test_a_block_refuses_both_in_the_same_words(cast: Cast, blocker: str) -> None:
    elsa, bo = cast.elsa, cast.bo
    befriend(elsa, bo)
    block(elsa, bo) if blocker == "elsa" else block(bo, elsa)
    assert ask(elsa, bo) == REFUSED
    assert ask(bo, elsa) == REFUSED
    refused = elsa.post(CONVERSATIONS, {"targetUsername": bo.username})
    Block.objects.all().delete()
    privacy(bo, "nobody")
    assert elsa.post(CONVERSATIONS, {"targetUsername": bo.username}).content == refused.content


def test_an_existing_conversation_is_returned_whatever_happened_since(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    befriend(elsa, bo)
    elsa.dm(bo)
    part(elsa, bo)
    privacy(bo, "nobody")
    block(bo, elsa)
    assert ask(elsa, bo) == (200, "")
    assert ask(bo, elsa) == (200, "")


def test_unknown_and_suspended_people_are_not_there(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    suspend_account(bo.account_id)
    answers = [
        elsa.post(CONVERSATIONS, {"targetUsername": name})
        for name in (bo.username, "nobody.here", "nobody@nyvang", "x" * 300)
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1


def test_a_conversation_with_yourself_is_400(cast: Cast) -> None:
    answer = cast.elsa.post(CONVERSATIONS, {"targetUsername": "Elsa.Nordvall"})
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["targetUsername"])


WRONG: list[dict[str, Any]] = [
    {},
    {"type": "dm"},
    *({"type": kind, "targetUsername": "bo.ek"} for kind in ("chat", None)),
    *({"targetUsername": name} for name in ("", " \n", None, 5, ["bo.ek"], "x" * 301)),
    *({"targetUsername": "bo.ek", "encrypted": value} for value in (True, "no")),
    {"targetUsername": "bo.ek", "encryption": "aes-gcm"},
]


def test_an_invalid_body_creates_nothing(cast: Cast) -> None:
    assert cast.bo.username == "bo.ek"
    for body in WRONG:
        answer = cast.elsa.post(CONVERSATIONS, body)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input"), body
    assert not Conversation.objects.exists()


def test_new_conversations_with_strangers_are_limited_per_day(
    cast: Cast, settings: Settings
) -> None:
    settings.LIMITS = {"new_dms": "1/86400"}
    elsa = cast.elsa
    privacy(cast.zoe, "nobody")
    befriend(elsa, cast.alva)
    assert ask(elsa, cast.zoe) == REFUSED  # was not started, and is not counted
    assert ask(elsa, cast.bo) == (201, "")
    assert ask(elsa, cast.omer) == (429, "too_many_requests")
    assert ask(elsa, cast.bo) == (200, "")
    assert ask(elsa, cast.alva) == (201, "")


def test_it_stays_when_the_other_is_gone(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    made = elsa.dm(bo)
    Account.objects.filter(pk=bo.account_id).delete()
    assert elsa.sees(made)["participants"] == ["elsa.nordvall"]
    assert [each["id"] for each in elsa.list()] == [made["id"]]


FOR_GROUPS = [
    {"action": "rename", "groupName": "Vi två"},
    {"action": "add_member", "targetUsername": "alva.lind"},
    {"action": "remove_member", "targetUsername": "bo.ek"},
    {"action": "transfer_admin", "targetUsername": "bo.ek"},
    {"action": "leave"},
]


def test_actions_of_groups_are_409_in_a_direct_conversation(cast: Cast) -> None:
    elsa, made = cast.elsa, cast.elsa.dm(cast.bo)
    for action in FOR_GROUPS:
        answer = elsa.patch(f"{CONVERSATIONS}/{made['id']}", action)
        assert (answer.status_code, answer.json()["code"]) == (409, "not_a_group"), action
    assert elsa.sees(made) == made


@pytest.mark.django_db(transaction=True)
def test_two_who_start_at_once_get_one_conversation(cast: Cast) -> None:
    elsa, bo = cast.elsa, cast.bo
    pairs = [(elsa, bo), (bo, elsa)] * 3
    answers = at_once([partial(_open, person, other) for person, other in pairs])
    assert len({conversation for conversation, _ in answers}) == 1
    assert [created for _, created in answers].count(True) == 1
    assert Conversation.objects.count() == 1
    assert Membership.objects.count() == 2


CHANGES: list[Callable[[Person, Person], None]] = [
    lambda elsa, bo: block(bo, elsa),
    lambda elsa, bo: privacy(bo, "nobody"),
]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", CHANGES, ids=["block", "privacy"])
def test_a_change_after_the_first_check_counts(
    cast: Cast, change: Callable[[Person, Person], None]
) -> None:
    elsa, bo = cast.elsa, cast.bo
    counters = store_counters()
    with crowd(1) as start:
        with transaction.atomic():
            lock_accounts([elsa.account_id, bo.account_id])
            change(elsa, bo)
            running = start(partial(_open, elsa, bo))
            # The limit is spent between the check and the lock.
            wait_until(lambda: store_counters() > counters or running.done())
        with pytest.raises(DmRefused):
            running.result(30)
    assert not Conversation.objects.exists()


def _open(person: Person, other: Person) -> tuple[str, bool]:
    shown, created = open_dm(account_id=person.account_id, target_username=other.username)
    return shown["id"], created
