"""What the answers of a push service mean for a push and its subscription."""

from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from notifications.models import PushSubscription
from tests.conftest import Caller, signed_in
from tests.jobs.run_jobs import run_jobs
from tests.notifications.actions import SUBSCRIPTIONS, of_kind
from tests.notifications.deliveries import pass_time, run_waiting_jobs, waiting_jobs
from tests.notifications.push_service import Answer, PushService, status
from tests.social_actions import say


@pytest.mark.parametrize("code", [403, 404, 410])
def test_a_subscription_that_is_gone_is_deleted(
    elsa: Caller, bo: Caller, dm: str, phone: str, push_service: PushService, code: int
) -> None:
    push_service.answer_with(status(code), push_service.accept)
    say(elsa, dm, "Hej")
    run_jobs()
    assert waiting_jobs() == 0
    body = bo.get(SUBSCRIPTIONS).json()
    assert body["subscriptions"] == []
    assert [(each["id"], each["device"]) for each in body["ended"]] == [(phone, "")]
    assert bo.post(f"{SUBSCRIPTIONS}/{phone}/test").status_code == 404
    assert bo.delete(f"{SUBSCRIPTIONS}/{phone}").status_code == 404
    browser = PushSubscription.objects.get().read_browser()
    assert browser is None


def test_an_app_may_subscribe_again_with_an_endpoint_that_was_gone(
    elsa: Caller, bo: Caller, dm: str, phone: str, push_service: PushService
) -> None:
    endpoint = PushSubscription.objects.get().read_browser()
    push_service.answer_with(status(410), push_service.accept)
    say(elsa, dm, "Hej")
    run_jobs()
    assert endpoint is not None
    again = push_service.new_subscription() | {"endpoint": endpoint.endpoint}
    assert bo.post(SUBSCRIPTIONS, again).status_code == 201
    body = bo.get(SUBSCRIPTIONS).json()
    assert (len(body["subscriptions"]), body["ended"]) == (1, [])
    assert body["subscriptions"][0]["id"] != phone


def test_what_is_gone_is_forgotten_with_its_login_or_after_a_month(
    elsa: Caller, bo: Caller, dm: str, phone: str, push_service: PushService
) -> None:
    push_service.answer_with(status(410))
    say(elsa, dm, "Hej")
    run_jobs()
    call_command("purge_expired")
    assert PushSubscription.objects.exists()
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        call_command("purge_expired", "--dry-run")
        assert PushSubscription.objects.exists()
        call_command("purge_expired")
    assert not PushSubscription.objects.exists()


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


def pushes_after_failures_of(
    failing: list[Caller], other: Caller, push_service: PushService, *answers: Answer
) -> int:
    """How many pushes the other one is sent after a test push to each of those fails."""
    for person in (*failing, other):
        assert person.post(SUBSCRIPTIONS, push_service.new_subscription()).status_code == 201
    push_service.answer_with(*answers, push_service.accept)
    for person in failing:
        assert push_a_test(person) == 200
        run_jobs()
    sent = len(push_service.received)
    assert push_a_test(other) == 200
    run_jobs()
    return len(push_service.received) - sent


def push_a_test(person: Caller) -> int:
    [subscription] = person.get(SUBSCRIPTIONS).json()["subscriptions"]
    return int(person.post(f"{SUBSCRIPTIONS}/{subscription['id']}/test").status_code)


@pytest.mark.parametrize("people", [1, 2])
def test_failures_of_one_or_two_people_stop_no_pushes_to_others(
    elsa: Caller, push_service: PushService, people: int
) -> None:
    pupils = [elsa, signed_in("bo.ek"), signed_in("alva.lind")]
    answers = [status(503, Retry_After="3600")] * people
    assert pushes_after_failures_of(pupils[:people], pupils[2], push_service, *answers) == 1


def test_many_failing_subscriptions_of_one_person_stop_no_pushes_to_others(
    elsa: Caller, bo: Caller, push_service: PushService
) -> None:
    for _ in range(9):
        answer = elsa.post(SUBSCRIPTIONS, push_service.new_subscription())
        assert answer.status_code == 201
    push_service.answer_with(*[status(500)] * 9, push_service.accept)
    for subscription in elsa.get(SUBSCRIPTIONS).json()["subscriptions"]:
        assert elsa.post(f"{SUBSCRIPTIONS}/{subscription['id']}/test").status_code == 200
    run_jobs()
    assert len(push_service.received) == 9
    assert bo.post(SUBSCRIPTIONS, push_service.new_subscription()).status_code == 201
    assert push_a_test(bo) == 200
    run_jobs()
    assert len(push_service.received) == 10


def test_a_push_service_that_fails_for_three_people_is_left_alone(
    elsa: Caller, push_service: PushService
) -> None:
    pupils = [elsa, *map(signed_in, ("bo.ek", "alva.lind", "ömer.sjölin"))]
    answers = [status(503)] * 3
    assert pushes_after_failures_of(pupils[:3], pupils[3], push_service, *answers) == 0
    assert waiting_jobs() == 4
    run_waiting_jobs()
    assert waiting_jobs() == 0


def test_too_many_pushes_to_three_people_stop_no_pushes_to_others(
    elsa: Caller, push_service: PushService
) -> None:
    pupils = [elsa, *map(signed_in, ("bo.ek", "alva.lind", "ömer.sjölin"))]
    answers = [status(429, Retry_After="3600")] * 3
    assert pushes_after_failures_of(pupils[:3], pupils[3], push_service, *answers) == 1


def fail_once(elsa: Caller, bo: Caller, dm: str) -> None:
    """A push that fails, of a message that is then read in the app."""
    say(elsa, dm, "Hej")
    run_jobs()
    bo.patch(f"/api/conversations/{dm}", {"action": "mark_read"})


def test_one_that_failed_again_and_again_for_a_week_is_deleted_and_told(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    push_service.answer_with(status(400))
    for days in (3, 3, 2):
        fail_once(elsa, bo, dm)
        call_command("purge_expired")
        assert len(bo.get(SUBSCRIPTIONS).json()["subscriptions"]) == 1
        pass_time(days=days)
    fail_once(elsa, bo, dm)
    call_command("purge_expired", "--dry-run")
    assert len(bo.get(SUBSCRIPTIONS).json()["subscriptions"]) == 1
    call_command("purge_expired")
    body = bo.get(SUBSCRIPTIONS).json()
    assert (len(body["subscriptions"]), len(body["ended"])) == (0, 1)
    assert [each["title"] for each in of_kind(bo, "account")] == ["Notifications stopped"]


@pytest.mark.parametrize("pauses", [[20], [0.2, 0.2, 20], [9, 20]])
def test_one_that_failed_once_or_twice_is_kept_over_a_holiday(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService, pauses: list[float]
) -> None:
    push_service.answer_with(status(400))
    for days in pauses:
        fail_once(elsa, bo, dm)
        pass_time(days=days)
        call_command("purge_expired")
    assert len(bo.get(SUBSCRIPTIONS).json()["subscriptions"]) == 1
    assert of_kind(bo, "account") == []


def test_a_push_that_arrives_forgets_the_failures(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    push_service.answer_with(*[status(400)] * 2, push_service.accept, status(400))
    for _ in range(5):
        fail_once(elsa, bo, dm)
        pass_time(days=4)
        call_command("purge_expired")
    assert len(bo.get(SUBSCRIPTIONS).json()["subscriptions"]) == 1
