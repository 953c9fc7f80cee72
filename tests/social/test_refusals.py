"""Refusals in the database: how long they stay, what of them is exported, and the older ones."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import F
from django.utils import timezone

from accounts.person_hash import hash_of_person
from accounts.timestamps import milliseconds
from social.models import Refusal
from tests.accounts.full_account import export_of
from tests.migration_states import migrated_back
from tests.social.cast import Cast
from tests.social.friend_requests import answer, ask

BEFORE = [("social", "0009_reporter_hash")]
ELSA, BO = hash_of_person("bjorkdalen", 1), hash_of_person("bjorkdalen", 2)


def decline_a_request_and_an_invite(cast: Cast) -> None:
    """Bo declines both of Elsa's."""
    assert ask(cast.elsa, cast.bo.username).status_code == 201
    assert answer(cast.bo, cast.elsa.username, accept=False).status_code == 200
    assert cast.elsa.new_group(cast.bo).status_code == 201
    (invite,) = cast.bo.invites()
    assert cast.bo.answer(invite, accept=False).status_code == 200


def test_they_are_deleted_when_their_time_is_over(cast: Cast) -> None:
    decline_a_request_and_an_invite(cast)
    assert Refusal.objects.count() == 3
    Refusal.objects.update(until=F("until") - timedelta(hours=24))
    call_command("purge_expired", "--dry-run")
    assert Refusal.objects.count() == 3
    call_command("purge_expired")
    assert set(Refusal.objects.values_list("kind", flat=True)) == {"request", "group"}
    Refusal.objects.update(until=F("until") - timedelta(days=29))
    call_command("purge_expired")
    assert Refusal.objects.count() == 0


def test_both_find_them_in_their_export_without_a_name(cast: Cast) -> None:
    decline_a_request_and_an_invite(cast)
    (request,) = Refusal.objects.filter(kind="request")
    for person in (cast.elsa, cast.bo):
        exported = export_of(person)["refusals.json"]
        assert [row["kind"] for row in exported] == ["invite", "request", "group"]
        assert {row["declinedByMe"] for row in exported} == {person is cast.bo}
        assert all(row.keys() == {"kind", "declinedByMe", "until"} for row in exported)
    assert export_of(cast.alva)["refusals.json"] == []
    assert milliseconds(request.until) > milliseconds(timezone.now() + timedelta(days=29))


@pytest.mark.django_db(transaction=True)
def test_an_upgrade_resets_no_refusal() -> None:
    now = timezone.now()
    with migrated_back(BEFORE) as old:
        _decline(old, now)
    refusals = {
        (row.kind, row.asked_by, row.declined_by): row.until for row in Refusal.objects.all()
    }
    month, day = timedelta(days=30), timedelta(days=1)
    hour = timedelta(hours=1)
    assert refusals == {
        ("request", BO, ELSA): now - hour + month,
        ("invite", ELSA, BO): now - hour + day,
        ("group", ELSA, BO): now - hour + month,
        ("group", BO, ELSA): now - 2 * day + month,
    }


def _decline(old: Any, now: Any) -> None:
    """A request and two invites, one of them two days ago; and some that hold no more."""
    accounts = old.get_model("accounts", "Account").objects
    elsa, bo, alva = (
        accounts.create(school="bjorkdalen", upstream_user_id=number, username=name)
        for number, name in enumerate(("elsa.nordvall", "bo.ek", "alva.lind"), start=1)
    )
    hour = timedelta(hours=1)
    friendships = old.get_model("social", "Friendship").objects
    friendships.create(low=elsa, high=bo, requested_by=bo, status="declined")
    friendships.update(updated_at=now - hour)
    friendships.create(low=bo, high=alva, requested_by=bo, status="pending")
    conversations = old.get_model("social", "Conversation").objects
    invites = old.get_model("social", "Invite").objects
    for sender, invited, since in (
        (elsa, bo, hour),
        (bo, elsa, timedelta(days=2)),
        (alva, bo, timedelta(days=31)),
    ):
        group = conversations.create(type="group", admin=sender, created_at=now, last_at=now)
        row = {"conversation": group, "invited_by": sender, "status": "declined"}
        made = invites.create(**row, invited=invited)
        invites.filter(pk=made.pk).update(updated_at=now - since)
