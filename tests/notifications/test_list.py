"""The list of notifications: pages, read marks, deleting, and how long they are kept."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.encryption import Ciphertext
from accounts.models import Account
from notifications.limits import MAX_NOTIFICATIONS
from notifications.models import Notification
from notifications.services.notify import notify
from tests.conftest import Caller
from tests.notifications.actions import PATH, listed, of_kind, unread

ELSA = "elsa.nordvall"


def tell(count: int, username: str = ELSA) -> list[Notification]:
    account = Account.objects.get(username=username)
    for _ in range(count):
        notify(account.pk, "account", details={"event": "warning"})
    return list(Notification.objects.filter(account=account).order_by("created_at"))[-count:]


def ids(caller: Caller, **query: str) -> list[str]:
    return [each["id"] for each in listed(caller, **query)]


def test_the_list_is_empty_at_first(elsa: Caller) -> None:
    empty = {"success": True, "notifications": [], "next": None, "unread": 0}
    assert elsa.get(PATH).json() == empty


def test_pages_are_the_newest_first_and_have_everything_once(elsa: Caller) -> None:
    made = [each.pk.hex for each in tell(5)]
    found: list[str] = []
    page: dict[str, Any] = {"next": ""}
    while page["next"] is not None:
        page = elsa.http.get(PATH, {"limit": "2", "cursor": page["next"]}).json()
        found += [each["id"] for each in page["notifications"]]
        assert page["unread"] == 5
    assert found == list(reversed(made))


@pytest.mark.parametrize(
    "query", [{"limit": "0"}, {"limit": "101"}, {"limit": "x"}, {"cursor": "x"}, {"cursor": "åäö"}]
)
def test_a_query_out_of_range_is_refused(elsa: Caller, query: dict[str, str]) -> None:
    assert elsa.http.get(PATH, query).status_code == 400


def test_one_is_marked_as_read(elsa: Caller) -> None:
    first, _second = tell(2)
    answer = elsa.post(f"{PATH}/read", {"id": first.pk.hex})
    assert answer.json() == {"success": True, "unread": 1}
    assert [each["readAt"] is None for each in listed(elsa)] == [True, False]
    assert elsa.post(f"{PATH}/read", {"id": first.pk.hex}).json()["unread"] == 1


def test_those_up_to_a_time_are_marked_as_read(elsa: Caller) -> None:
    old, new = tell(2)
    earlier = timezone.now() - timedelta(hours=1)
    Notification.objects.filter(pk=old.pk).update(created_at=earlier)
    shown = listed(elsa)
    answer = elsa.post(f"{PATH}/read", {"upTo": shown[1]["createdAt"]})
    assert answer.json()["unread"] == 1
    assert [each["id"] for each in listed(elsa) if each["readAt"] is None] == [new.pk.hex]


def test_all_are_marked_as_read(elsa: Caller) -> None:
    tell(3)
    assert elsa.post(f"{PATH}/read", {"all": True}).json() == {"success": True, "unread": 0}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"all": False},
        {"all": "true"},
        {"upTo": -1},
        {"upTo": "1"},
        {"upTo": 10**15},
        {"id": 5},
        {"all": True, "upTo": 5},
        [],
    ],
)
def test_a_wrong_selection_is_refused(elsa: Caller, body: Any) -> None:
    tell(1)
    assert elsa.post(f"{PATH}/read", body).status_code == 400
    assert unread(elsa) == 1


def test_one_is_deleted_once(elsa: Caller) -> None:
    (one,) = tell(1)
    assert elsa.delete(f"{PATH}/{one.pk.hex}").json() == {"success": True}
    assert elsa.delete(f"{PATH}/{one.pk.hex}").status_code == 404
    assert listed(elsa) == []


def test_those_of_others_do_not_exist(elsa: Caller, bo: Caller) -> None:
    (one,) = tell(1)
    foreign, unknown = one.pk.hex, "0" * 32
    for address in (foreign, unknown):
        assert bo.delete(f"{PATH}/{address}").status_code == 404
        assert bo.post(f"{PATH}/read", {"id": address}).status_code == 404
    assert bo.post(f"{PATH}/read", {"id": "x"}).status_code == 404
    assert [each["id"] for each in of_kind(elsa, "account")] == [foreign]
    assert unread(elsa) == 1


def test_they_are_kept_for_thirty_days_and_at_most_five_hundred(elsa: Caller) -> None:
    (old,) = tell(1)
    Notification.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=31))
    assert listed(elsa) == []
    assert unread(elsa) == 0
    call_command("purge_expired")
    assert not Notification.objects.exists()
    made = tell(MAX_NOTIFICATIONS + 2)
    assert unread(elsa) == MAX_NOTIFICATIONS
    assert ids(elsa, limit="1") == [made[-1].pk.hex]
    assert Notification.objects.count() == MAX_NOTIFICATIONS


def test_the_purge_keeps_the_newest_of_those_who_never_look(elsa: Caller) -> None:
    made = tell(MAX_NOTIFICATIONS + 2)
    call_command("purge_expired", "--dry-run")
    assert Notification.objects.count() == MAX_NOTIFICATIONS + 2
    call_command("purge_expired")
    assert not Notification.objects.filter(pk__in=[each.pk for each in made[:2]]).exists()
    assert Notification.objects.count() == MAX_NOTIFICATIONS


def test_one_whose_key_is_lost_is_not_shown_and_stays(elsa: Caller) -> None:
    (one,) = tell(1)
    Notification.objects.filter(pk=one.pk).update(details=Ciphertext(b"of another key"))
    assert listed(elsa) == []
    assert Notification.objects.filter(pk=one.pk).exists()
