"""More messages of a conversation are pushed again, at most once in two minutes."""

from functools import partial

import pytest

from notifications.models import Notification
from notifications.services.deliveries import host_breaker
from notifications.services.pushes import push_again, push_held
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.jobs.run_jobs import run_jobs
from tests.notifications.actions import SETTINGS, of_kind
from tests.notifications.deliveries import pass_time, run_waiting_jobs, shown, waiting_jobs
from tests.notifications.push_service import PushService, status
from tests.social_actions import say


def titles(service: PushService) -> list[str]:
    return [shown(service, number)["title"] for number in range(len(service.received))]


def test_more_messages_are_pushed_again_after_two_minutes_with_their_count(
    elsa: Caller, dm: str, push_service: PushService
) -> None:
    say(elsa, dm, "Ett")
    run_jobs()
    for text in ("Två", "Tre"):
        say(elsa, dm, text)
        run_jobs()
    assert titles(push_service) == ["You have 1 new message"]
    pass_time(seconds=100)
    run_jobs()
    say(elsa, dm, "Fyra")
    run_jobs()
    assert len(push_service.received) == 1
    pass_time(seconds=21)
    run_jobs()
    assert titles(push_service)[1:] == ["You have 4 new messages"]
    say(elsa, dm, "Fem")
    run_jobs()
    assert len(push_service.received) == 2
    for _ in range(2):
        pass_time(seconds=121)
        run_jobs()
    assert titles(push_service)[2:] == ["You have 5 new messages"]
    assert len({shown(push_service, number)["tag"] for number in range(3)}) == 1
    assert len({push.headers["topic"] for push in push_service.received}) == 1
    assert waiting_jobs() == 0


def test_what_waited_for_a_push_service_is_pushed_once_when_it_is_back(
    elsa: Caller, dm: str, push_service: PushService
) -> None:
    push_service.answer_with(status(503))
    for number in range(3):
        say(elsa, dm, f"{number}")
        run_jobs()
        pass_time(seconds=121)
        run_jobs()
    push_service.answer_with(push_service.accept)
    push_service.received.clear()
    for _ in range(3):
        host_breaker.cache_clear()
        pass_time(hours=1)
        run_jobs()
    assert titles(push_service) == ["You have 3 new messages"]
    assert waiting_jobs() == 0


def test_after_a_day_a_message_is_pushed_at_once(
    elsa: Caller, dm: str, push_service: PushService
) -> None:
    """Also where the conversation was never read."""
    say(elsa, dm, "Ett")
    run_jobs()
    pass_time(days=3)
    say(elsa, dm, "Två")
    run_jobs()
    assert titles(push_service)[1:] == ["You have 2 new messages"]
    assert 86000 < int(push_service.received[1].headers["ttl"]) <= 86400


def test_what_was_read_meanwhile_is_not_pushed_again(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    say(elsa, dm, "Ett")
    run_jobs()
    say(elsa, dm, "Två")
    bo.patch(f"/api/conversations/{dm}", {"action": "mark_read"})
    run_waiting_jobs()
    assert len(push_service.received) == 1
    say(elsa, dm, "Tre")
    run_jobs()
    first, second = push_service.received
    assert first.headers["topic"] == second.headers["topic"]


@pytest.mark.parametrize("change", ["muted", "list", "off"])
def test_what_is_not_wanted_any_more_is_not_pushed_again(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService, change: str
) -> None:
    say(elsa, dm, "Ett")
    run_jobs()
    say(elsa, dm, "Två")
    bo.patch(SETTINGS, {"muted": [dm]} if change == "muted" else {"kinds": {"message": change}})
    run_waiting_jobs()
    say(elsa, dm, "Tre")
    run_waiting_jobs()
    assert len(push_service.received) == 1


def test_nobody_is_pushed_again_what_is_only_listed(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    bo.patch(SETTINGS, {"kinds": {"message": "list"}})
    for text in ("Ett", "Två"):
        say(elsa, dm, text)
    run_waiting_jobs()
    assert push_service.received == []


def test_a_job_that_is_repeated_pushes_once(
    elsa: Caller, dm: str, push_service: PushService
) -> None:
    say(elsa, dm, "Ett")
    run_jobs()
    say(elsa, dm, "Två")
    run_waiting_jobs()
    push_again.call(Notification.objects.get(kind="message").pk.hex)
    run_waiting_jobs()
    assert len(push_service.received) == 2


def test_quiet_hours_hold_what_would_be_pushed_again(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    say(elsa, dm, "Ett")
    run_jobs()
    bo.patch(SETTINGS, {"quietHours": {"from": "00:00", "to": "23:59"}})
    for text in ("Två", "Tre"):
        say(elsa, dm, text)
        run_waiting_jobs()
        push_held()
        run_jobs()
    assert len(push_service.received) == 1
    bo.patch(SETTINGS, {"quietHours": None})
    pass_time(hours=9)
    push_held()
    run_jobs()
    assert titles(push_service)[1:] == ["1 notification is waiting"]
    say(elsa, dm, "Fyra")
    run_jobs()
    assert len(push_service.received) == 2
    pass_time(minutes=3)
    run_jobs()
    assert titles(push_service)[2:] == ["You have 4 new messages"]


@pytest.mark.django_db(transaction=True)
def test_of_many_messages_at_once_none_is_lost(
    elsa: Caller, bo: Caller, dm: str, push_service: PushService
) -> None:
    say(elsa, dm, "Ett")
    run_jobs()
    at_once([partial(say, elsa.twin(), dm, f"Text {number}") for number in range(6)])
    assert waiting_jobs() == 1
    run_waiting_jobs()
    assert titles(push_service)[1:] == ["You have 7 new messages"]
    assert [each["data"]["count"] for each in of_kind(bo, "message")] == [7]
