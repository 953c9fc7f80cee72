"""What the answers of a push service mean for a push and its subscription."""

from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from notifications.models import PushSubscription
from tests.conftest import Caller
from tests.jobs import run_jobs
from tests.notifications.actions import SUBSCRIPTIONS, of_kind
from tests.notifications.deliveries import run_waiting_jobs, waiting_jobs
from tests.notifications.push_service import PushService, status
from tests.social_actions import say


@pytest.mark.parametrize("code", [403, 404, 410])
def test_a_subscription_that_is_gone_is_deleted(
    elsa: Caller, dm: str, push_service: PushService, code: int
) -> None:
    push_service.answer_with(status(code))
    say(elsa, dm, "Hej")
    run_jobs()
    assert not PushSubscription.objects.exists()
    assert waiting_jobs() == 0


@pytest.mark.parametrize("code", [429, 500, 503])
def test_a_push_that_failed_is_tried_again_with_the_same_topic(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService, code: int
) -> None:
    push_service.answer_with(status(code, Retry_After="60"), push_service.accept)
    say(elsa, dm, "Hej")
    run_jobs()
    assert waiting_jobs() == 1
    assert bo.get(SUBSCRIPTIONS).json()["subscriptions"][0]["failing"] is True
    run_waiting_jobs()
    first, second = push_service.received
    assert first.headers["topic"] == second.headers["topic"]
    assert bo.get(SUBSCRIPTIONS).json()["subscriptions"][0]["failing"] is False
    assert waiting_jobs() == 0


def test_429_for_a_day_ends_the_tries_and_not_the_subscription(
    elsa: Caller, dm: str, push_service: PushService
) -> None:
    push_service.answer_with(status(429, Retry_After="86400"))
    say(elsa, dm, "Hej")
    run_jobs()
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        run_waiting_jobs()
    assert len(push_service.received) == 1
    assert waiting_jobs() == 0
    assert PushSubscription.objects.exists()


@pytest.mark.parametrize("code", [302, 400, 413])
def test_a_refused_push_is_not_tried_again(
    elsa: Caller, dm: str, push_service: PushService, code: int
) -> None:
    push_service.answer_with(status(code))
    say(elsa, dm, "Hej")
    run_jobs()
    assert waiting_jobs() == 0
    assert PushSubscription.objects.get().failing_since is not None


def test_a_push_service_that_is_away_is_left_alone(
    elsa: Caller, dm: str, push_service: PushService
) -> None:
    push_service.answer_with(status(503))
    group = elsa.post(
        "/api/conversations", {"type": "group", "groupName": "Ugglorna", "members": ["bo.ek"]}
    ).json()["conversation"]["id"]
    say(elsa, dm, "Hej")
    run_jobs()
    say(elsa, group, "Hej allihop")
    run_jobs()
    assert len(push_service.received) == 1
    assert waiting_jobs() == 2


def test_one_that_failed_for_a_week_is_deleted_and_told(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    PushSubscription.objects.update(failing_since=timezone.now() - timedelta(days=8))
    call_command("purge_expired", "--dry-run")
    assert PushSubscription.objects.exists()
    call_command("purge_expired")
    assert not PushSubscription.objects.exists()
    assert [each["title"] for each in of_kind(bo, "account")] == ["Notifications stopped"]
