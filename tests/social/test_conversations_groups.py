"""New groups: friends are members, others get invites, all or nothing."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.services.suspension import suspend_account
from social.models import Conversation, Friendship, Invite, Membership
from tests.social.cast import (
    CONVERSATIONS,
    Cast,
    befriend,
    befriend_accounts,
    block,
    privacy,
    pupils,
)
from tests.social.friend_requests import code_of


def body(*names: str, **fields: Any) -> dict[str, Any]:
    return {"type": "group", "groupName": "Ugglorna", "members": list(names)} | fields


def nothing_was_made() -> bool:
    rows = (Conversation.objects, Membership.objects, Invite.objects)
    return not any(each.exists() for each in rows)


def test_friends_become_members_and_others_are_invited(cast: Cast) -> None:
    elsa, bo, alva = cast.elsa, cast.bo, cast.alva
    befriend(elsa, bo)
    shown = elsa.group(alva, bo, groupDescription="Om natten")
    assert shown["participants"] == ["elsa.nordvall", "bo.ek"]
    assert (shown["type"], shown["adminUsername"]) == ("group", "elsa.nordvall")
    assert (shown["groupName"], shown["groupDescription"]) == ("Ugglorna", "Om natten")
    assert bo.sees(shown) == shown
    assert alva.read(shown).status_code == 404
    (invite,) = alva.invites()
    assert invite["conversationId"] == shown["id"]
    assert invite["groupName"] == "Ugglorna"
    assert invite["invitedUsername"] == "alva.lind"
    assert (invite["invitedBy"], invite["invitedByDisplayName"]) == (
        "elsa.nordvall",
        "Elsa Nordvall",
    )
    assert invite["status"] == "pending"


def test_an_open_request_is_not_a_friendship(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    Friendship.objects.update(status=Friendship.PENDING)
    assert cast.elsa.group(cast.bo)["participants"] == ["elsa.nordvall"]


def test_doubles_and_oneself_are_ignored(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    names = ["bo.ek", "BO.EK", "elsa.nordvall", "Bo.Ek"]
    shown = cast.elsa.post(CONVERSATIONS, body(*names)).json()["conversation"]
    assert shown["participants"] == ["elsa.nordvall", "bo.ek"]


@pytest.mark.parametrize("why", ["unknown", "suspended", "blocked", "blocking"])
def test_one_unknown_person_prevents_the_whole_group(cast: Cast, why: str) -> None:
    elsa, bo, alva = cast.elsa, cast.bo, cast.alva
    befriend(elsa, bo, alva)
    name = "alva.lind"
    if why == "unknown":
        name = "nobody.here"
    elif why == "suspended":
        suspend_account(alva.account_id)
    elif why == "blocked":
        block(elsa, alva)
    else:
        block(alva, elsa)
    answer = elsa.post(CONVERSATIONS, body("bo.ek", name, "ömer.sjölin"))
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert nothing_was_made()


def test_a_group_has_at_most_fifty(cast: Cast, settings: Settings) -> None:
    settings.LIMITS = {"invites": "49/86400"}
    names = [account.username for account in pupils(50)]
    assert cast.elsa.post(CONVERSATIONS, body(*names)).status_code == 400
    assert nothing_was_made()
    answer = cast.elsa.post(CONVERSATIONS, body(*names[:49], "elsa.nordvall"))
    assert answer.status_code == 201
    assert Invite.objects.count() == 49


def test_a_group_of_fifty_friends_is_created_at_once(cast: Cast) -> None:
    friends = pupils(49)
    befriend_accounts(cast.elsa.account_id, *(account.pk for account in friends))
    names = [account.username for account in friends]
    shown = cast.elsa.post(CONVERSATIONS, body(*names)).json()["conversation"]
    assert shown["participants"] == ["elsa.nordvall", *names]


def test_the_number_of_queries_does_not_depend_on_the_size(cast: Cast) -> None:
    friends = pupils(40)
    befriend_accounts(cast.elsa.account_id, *(account.pk for account in friends[:20]))
    names = [account.username for account in friends]
    cast.elsa.list()  # the session is cached from here on

    def queries(members: list[str]) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert cast.elsa.post(CONVERSATIONS, body(*members)).status_code == 201
        return len(captured)

    # Where two are alone, what is between them is asked too.
    assert queries(names[18:21]) == queries(names)


# Wrong values of each field, and the key by which the answer names it.
WRONG: dict[str, list[Any]] = {
    "groupName": [
        *("", "   ", "\u3164", "\u2800\u0301", "Ugg\u200blorna", "\u202eanrolggU", "Ugg\nlorna"),
        *("x" * 81, None, 7),
    ],
    "groupDescription": ["Om\u2066natten", "x" * 201, ["x"]],
    "members": [[], ["elsa.nordvall"], "bo.ek", {"bo.ek": 1}, None],
    "members.0": [[7], [""]],
    "encrypted": ["true", 1],
    "encryption": ["rot13", "mls"],
}
CONTRADICTIONS = [(True, "mls"), (True, "none"), (False, "aes-gcm")]


def test_a_wrong_field_is_named(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    wrong: list[tuple[str, dict[str, Any]]] = [
        (key, {key.partition(".")[0]: value}) for key, values in WRONG.items() for value in values
    ]
    wrong += [
        ("encryption", {"encrypted": flag, "encryption": mode}) for flag, mode in CONTRADICTIONS
    ]
    for key, fields in wrong:
        answer = cast.elsa.post(CONVERSATIONS, body("bo.ek") | fields)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input"), fields
        assert list(answer.json()["fields"]) == [key], fields
    assert nothing_was_made()


@pytest.mark.parametrize("name", ["groupName", "members"])
def test_name_and_members_are_needed(cast: Cast, name: str) -> None:
    fields = body("bo.ek")
    del fields[name]
    answer = cast.elsa.post(CONVERSATIONS, fields)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [name])


def test_the_longest_name_counts_code_points(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    shown = cast.elsa.group(cast.bo, groupName="🦉" * 80, groupDescription="å" * 200)
    assert (shown["groupName"], shown["groupDescription"]) == ("🦉" * 80, "å" * 200)
    assert cast.elsa.group(cast.bo, groupName="👩‍👧 ❤️")["groupName"] == "👩‍👧 ❤️"


ENCRYPTION: list[tuple[dict[str, Any], str]] = [
    ({}, "none"),
    ({"encrypted": False}, "none"),
    ({"encryption": "none"}, "none"),
    ({"encrypted": True}, "aes-gcm"),
    ({"encryption": "aes-gcm"}, "aes-gcm"),
    ({"encrypted": True, "encryption": "aes-gcm"}, "aes-gcm"),
]


def test_encryption_is_set_at_creation(cast: Cast) -> None:
    befriend(cast.elsa, cast.bo)
    for fields, mode in ENCRYPTION:
        shown = cast.elsa.group(cast.bo, **fields)
        assert (shown["encryption"], shown["encrypted"]) == (mode, mode != "none"), fields
        assert shown["epoch"] is None


def test_the_rate_limit_does_not_reveal_a_block(cast: Cast, settings: Settings) -> None:
    settings.LIMITS = {"invites": "1/86400"}
    elsa = cast.elsa
    befriend(elsa, cast.bo)
    block(cast.alva, elsa)
    group = elsa.group(cast.bo, cast.omer)
    for name in ("alva.lind", "nobody"):
        adding = elsa.do(group, "add_member", targetUsername=name)
        making = elsa.post(CONVERSATIONS, body("bo.ek", name))
        assert (adding.status_code, making.status_code) == (429, 429), name


def test_each_invite_into_a_new_group_counts(cast: Cast, settings: Settings) -> None:
    settings.LIMITS = {"invites": "6/86400"}
    elsa = cast.elsa
    befriend(elsa, cast.bo)
    names = [account.username for account in pupils(8)]
    statuses = [
        elsa.post(CONVERSATIONS, body("bo.ek", *some)).status_code
        for some in (names[:3], names[3:7], names[3:5], names[5:7], [])
    ]
    # The second group does not fit, and costs nothing; friends need no invite.
    assert statuses == [201, 429, 201, 429, 201]
    assert Invite.objects.count() == 5
    assert Conversation.objects.count() == 3


@pytest.mark.parametrize("why", ["unknown", "blocking", "refusing"])
def test_a_group_that_is_refused_costs_one_invite(cast: Cast, settings: Settings, why: str) -> None:
    settings.LIMITS = {"invites": "4/86400"}
    elsa, names = cast.elsa, [account.username for account in pupils(3)]
    name = "nobody.here" if why == "unknown" else cast.alva.username
    if why == "blocking":
        block(cast.alva, elsa)
    elif why == "refusing":
        privacy(cast.alva, "nobody")
    assert elsa.post(CONVERSATIONS, body(*names, name)).status_code == (
        403 if why == "refusing" else 404
    )
    assert elsa.post(CONVERSATIONS, body(*names)).status_code == 201
    assert elsa.post(CONVERSATIONS, body("bo.ek")).status_code == 429


def test_new_groups_are_limited_per_hour(cast: Cast, settings: Settings) -> None:
    settings.LIMITS = {"new_groups": "2/86400"}
    befriend(cast.elsa, cast.bo)
    statuses = [cast.elsa.post(CONVERSATIONS, body("bo.ek")).status_code for _ in range(3)]
    assert statuses == [201, 201, 429]
    assert len(cast.bo.list()) == 2


def test_nobody_has_more_open_invites_than_the_list_shows(cast: Cast) -> None:
    elsa, alva = cast.elsa, cast.alva
    now = timezone.now()
    groups = Conversation.objects.bulk_create(
        Conversation(type="group", last_at=now, created_at=now) for _ in range(200)
    )
    Invite.objects.bulk_create(
        Invite(conversation=group, invited_id=alva.account_id, invited_by_id=cast.bo.account_id)
        for group in groups
    )
    befriend(elsa, cast.bo)
    answer = elsa.post(CONVERSATIONS, body("bo.ek", "alva.lind"))
    assert code_of(answer) == (409, "too_many_kept")
    assert elsa.list() == []
    assert len(alva.invites()) == 200
    assert code_of(cast.bo.new_group(cast.omer)) == (409, "too_many_kept")
