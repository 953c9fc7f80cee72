"""What has been kept for its time goes, and nothing else."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Model
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import Account
from social.models import Case, Conversation, Friendship, Invite, Message, Reaction, Report
from tests.conftest import Caller
from tests.social_actions import befriend, dm_of, report, say


def _age(model: type[Model], days: int, *fields: str, **which: Any) -> None:
    moment: datetime = timezone.now() - timedelta(days=days)
    model._default_manager.filter(**which).update(**dict.fromkeys(fields, moment))


def test_old_messages_are_deleted_and_the_others_keep_their_numbers(
    elsa: Caller, bo: Caller
) -> None:
    dm = dm_of(elsa, "bo.ek")
    first = say(elsa, dm, "old")
    quote = {"content": "new", "replyTo": {"messageId": first["id"]}}
    bo.post(f"/api/conversations/{dm}/messages", quote)
    _age(Message, 400, "created_at", seq=1)
    call_command("enforce_retention")
    (left,) = bo.get(f"/api/conversations/{dm}/messages").json()["messages"]
    assert (left["seq"], left["content"], left["replyTo"]["content"]) == (2, "new", "")
    assert say(elsa, dm, "next")["seq"] == 3


def test_the_operator_sets_the_months(elsa: Caller, bo: Caller, settings: Settings) -> None:
    say(elsa, dm_of(elsa, "bo.ek"), "a month old")
    _age(Message, 35, "created_at")
    call_command("enforce_retention")
    assert Message.objects.exists()
    settings.RETENTION_MONTHS = 1
    call_command("enforce_retention")
    assert not Message.objects.exists()


def test_a_dry_run_deletes_nothing(
    elsa: Caller, bo: Caller, capsys: pytest.CaptureFixture[str]
) -> None:
    say(elsa, dm_of(elsa, "bo.ek"), "old")
    _age(Message, 400, "created_at")
    call_command("enforce_retention", "--dry-run")
    assert "1 messages would be deleted." in capsys.readouterr().out
    assert Message.objects.exists()


def test_closed_groups_are_deleted_after_a_month(elsa: Caller, bo: Caller) -> None:
    group = {"type": "group", "groupName": "Ugglorna", "members": ["bo.ek"]}
    made = elsa.post("/api/conversations", group).json()["conversation"]["id"]
    elsa.patch(f"/api/conversations/{made}", {"action": "leave"})
    call_command("enforce_retention")
    assert Conversation.objects.exclude(closed_at=None).exists()
    _age(Conversation, 31, "closed_at")
    call_command("enforce_retention")
    assert not Conversation.objects.exists()


def test_handled_reports_and_answered_requests_are_deleted_and_open_ones_kept(
    elsa: Caller, bo: Caller
) -> None:
    message = say(bo, dm_of(elsa, "bo.ek"), "mean")
    report(elsa, "message", message["id"])
    bo.post("/api/friends", {"targetUsername": "elsa.nordvall"})
    elsa.patch("/api/friends", {"fromUsername": "bo.ek", "accept": False})
    _age(Friendship, 29, "updated_at")
    call_command("enforce_retention")
    assert Friendship.objects.exists()
    _age(Friendship, 31, "updated_at")
    _age(Report, 400, "created_at")
    _age(Case, 400, "created_at")
    call_command("enforce_retention")
    assert Report.objects.exists()
    assert not Friendship.objects.exists()
    _close_cases(days=190)
    call_command("enforce_retention")
    assert not Case.objects.exists()
    assert not Report.objects.exists()


def test_an_ended_friendship_is_forgotten_after_thirty_days_and_an_old_one_is_not(
    elsa: Caller, bo: Caller
) -> None:
    befriend(elsa, bo, ("elsa.nordvall", "bo.ek"))
    _age(Friendship, 800, "updated_at")
    call_command("enforce_retention")
    assert Friendship.objects.exists()
    elsa.delete("/api/friends", {"targetUsername": "bo.ek"})
    _age(Friendship, 29, "updated_at", "ended_at")
    call_command("enforce_retention")
    assert Friendship.objects.exists()
    _age(Friendship, 31, "updated_at", "ended_at")
    call_command("enforce_retention")
    assert not Friendship.objects.exists()


def _close_cases(*, days: int) -> None:
    """As staff did this many days ago."""
    Case.objects.update(
        status="closed",
        outcome="no_action",
        closing_note="Told the parents.",
        closed_at=timezone.now() - timedelta(days=days),
    )


def test_evidence_is_deleted_after_its_days_and_that_of_an_open_case_is_kept(
    elsa: Caller, bo: Caller, capsys: pytest.CaptureFixture[str], settings: Settings
) -> None:
    report(elsa, "message", say(bo, dm_of(elsa, "bo.ek"), "mean")["id"], "He is mean.")
    _age(Case, 170, "created_at")
    call_command("enforce_retention")
    assert "mean" in Report.objects.get().evidence
    _close_cases(days=89)
    call_command("enforce_retention")
    assert "mean" in Report.objects.get().evidence
    assert Report.objects.get().reporter_hash
    _close_cases(days=91)
    call_command("enforce_retention", "--dry-run")
    assert "1 cases' evidence would be deleted." in capsys.readouterr().out
    settings.EVIDENCE_DAYS = 100
    call_command("enforce_retention")
    assert "mean" in Report.objects.get().evidence
    settings.EVIDENCE_DAYS = 90
    call_command("enforce_retention")
    kept, case = Report.objects.get(), Case.objects.get()
    assert (kept.evidence, kept.text, kept.reporter_hash) == ("", "", "")
    assert (case.person_name, case.closing_note) == ("", "")
    assert case.person == Account.objects.get(username="bo.ek")
    assert case.evidence_deleted_at is not None


def test_an_open_invite_stays_however_old(elsa: Caller, bo: Caller) -> None:
    group = {"type": "group", "groupName": "Ugglorna", "members": ["bo.ek"]}
    elsa.post("/api/conversations", group)
    _age(Invite, 800, "updated_at", "invited_at")
    call_command("enforce_retention")
    assert Invite.objects.exists()


def test_a_hidden_message_loses_its_content_after_a_month(elsa: Caller, bo: Caller) -> None:
    dm = dm_of(elsa, "bo.ek")
    hidden = say(bo, dm, "hidden")
    react = {"action": "react", "emoji": "🦉"}
    assert elsa.patch(f"/api/conversations/{dm}/{hidden['id']}", react).status_code == 200
    _age(Message, 20, "hidden_at")
    call_command("enforce_retention")
    assert Message.objects.get().content == "hidden"
    assert Reaction.objects.exists()
    _age(Message, 31, "hidden_at")
    call_command("enforce_retention")
    message = Message.objects.get()
    assert (message.content, message.deleted_at is None) == ("", False)
    assert not Reaction.objects.exists()
