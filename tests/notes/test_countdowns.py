"""/api/countdowns."""

from contextlib import suppress
from functools import partial
from threading import Barrier, BrokenBarrierError
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.errors import TooManyKept
from accounts.models import Account
from notes.limits import MAX_COUNTDOWNS
from notes.models import Countdown
from notes.services.countdowns import add_countdown
from tests.concurrency import at_once
from tests.conftest import Caller

PATH = "/api/countdowns"
EXAM = {"title": "Nationella prov", "targetDate": "2027-05-11"}


def added(caller: Caller, **fields: Any) -> dict[str, Any]:
    answer = caller.post(PATH, EXAM | fields)
    assert answer.status_code == 201, answer.content
    countdown: dict[str, Any] = answer.json()["countdown"]
    return countdown


def listed(caller: Caller) -> list[dict[str, Any]]:
    body = caller.get(PATH).json()
    assert set(body) == {"success", "countdowns"}
    own: list[dict[str, Any]] = body["countdowns"]
    return own


def test_the_list_is_empty_at_first(elsa: Caller) -> None:
    assert elsa.get(PATH).json() == {"success": True, "countdowns": []}


def test_a_new_countdown_has_every_field(elsa: Caller) -> None:
    one = added(elsa)
    assert len(one.pop("id")) == 32
    assert 0 <= one.pop("updatedAt") - one.pop("createdAt") < 1000
    assert one == EXAM | {
        "targetDate": 1809986400000,
        "description": "",
        "category": "custom",
        "theme": "violet",
        "emoji": "",
        "pinned": False,
        "archived": False,
    }


def test_it_stores_every_field(elsa: Caller) -> None:
    given = {
        "title": "Åsas födelsedag 🎂",
        "description": "Tårta\noch saft",
        "targetDate": 1810000000123,
        "category": "birthday",
        "theme": "rose",
        "emoji": "👩🏽‍🚀",
        "pinned": True,
        "archived": True,
    }
    one = added(elsa, **given)
    assert one | given == one
    assert listed(elsa) == [one]


def test_the_list_is_ordered_by_date(elsa: Caller) -> None:
    for date in ("2027-03-01", "2026-12-24", "2030-01-01"):
        added(elsa, title=date, targetDate=date)
    assert [one["title"] for one in listed(elsa)] == ["2026-12-24", "2027-03-01", "2030-01-01"]


def test_a_change_writes_only_the_fields_that_it_names(elsa: Caller) -> None:
    one = added(elsa, emoji="📐", description="Del B")
    answer = elsa.patch(f"{PATH}/{one['id']}", {"pinned": True, "emoji": None, "nonsense": 1})
    changed = answer.json()["countdown"]
    assert answer.status_code == 200
    assert changed["updatedAt"] >= one["updatedAt"]
    assert changed == one | {"pinned": True, "emoji": "", "updatedAt": changed["updatedAt"]}
    assert listed(elsa) == [changed]


def test_an_empty_change_changes_nothing(elsa: Caller) -> None:
    one = added(elsa)
    assert elsa.patch(f"{PATH}/{one['id']}", {}).json()["countdown"] == one


def test_removing_it_twice_is_404(elsa: Caller) -> None:
    path = f"{PATH}/{added(elsa)['id']}"
    answer = elsa.delete(path)
    assert (answer.status_code, answer.json()) == (200, {"success": True})
    assert elsa.delete(path).status_code == 404
    assert listed(elsa) == []


def test_patch_and_delete_accept_the_id_in_the_query(elsa: Caller) -> None:
    path = f"{PATH}?id={added(elsa)['id']}"
    assert elsa.patch(path, {"title": "Annat"}).json()["countdown"]["title"] == "Annat"
    assert elsa.delete(path).json() == {"success": True}
    assert elsa.delete(path).status_code == 404
    for answer in (elsa.patch(PATH, {}), elsa.delete(PATH), elsa.delete(f"{PATH}?id=")):
        assert answer.status_code == 400
        assert list(answer.json()["fields"]) == ["id"]


def test_another_account_cannot_see_or_change_it(elsa: Caller, zoe: Caller) -> None:
    one = added(elsa)
    nobodys = uuid4().hex
    for form in (f"{PATH}/{{}}", f"{PATH}?id={{}}"):
        hers, none = form.format(one["id"]), form.format(nobodys)
        for ask in (lambda path: zoe.patch(path, {"title": "Min"}), zoe.delete):
            foreign, unknown = ask(hers), ask(none)
            assert foreign.status_code == unknown.status_code == 404
            assert foreign.content == unknown.content
    assert zoe.delete(f"{PATH}?id=no-id").content == zoe.delete(f"{PATH}/{nobodys}").content
    assert listed(zoe) == []
    assert listed(elsa) == [one]


def test_there_are_at_most_500(
    elsa: Caller, zoe: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    account = Account.objects.get(username="elsa.nordvall")
    Countdown.objects.bulk_create(
        Countdown(account=account, title=str(number), target_at=timezone.now())
        for number in range(MAX_COUNTDOWNS - 1)
    )
    last = added(elsa)
    answer = elsa.post(PATH, EXAM)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_kept")
    with django_assert_num_queries(1):
        assert len(listed(elsa)) == MAX_COUNTDOWNS
    added(zoe)
    elsa.delete(f"{PATH}/{last['id']}")
    added(elsa)


@pytest.mark.django_db(transaction=True)
def test_simultaneous_requests_do_not_exceed_the_limit() -> None:
    account = Account.objects.create(school="bjorkdalen", upstream_user_id=1, username="elsa")
    Countdown.objects.bulk_create(
        Countdown(account=account, title=str(number), target_at=timezone.now())
        for number in range(MAX_COUNTDOWNS - 2)
    )
    counted = Barrier(4)

    def meet(execute: Any, sql: str, *rest: Any) -> Any:
        """Wait after counting until all have counted, if the lock allows that."""
        result = execute(sql, *rest)
        if "COUNT(" in sql:
            with suppress(BrokenBarrierError):
                counted.wait(0.5)
        return result

    def add() -> bool:
        with connection.execute_wrapper(meet), suppress(TooManyKept):
            add_countdown(
                account_id=account.pk, fields={"title": "Prov", "target_at": timezone.now()}
            )
            return True
        return False

    assert sorted(at_once([add] * 4)) == [False, False, True, True]
    assert Countdown.objects.count() == MAX_COUNTDOWNS


@pytest.mark.django_db(transaction=True)
def test_simultaneous_changes_all_take_effect(elsa: Caller) -> None:
    path = f"{PATH}/{added(elsa)['id']}"
    changes = ({"title": "Ett"}, {"theme": "rose"}, {"pinned": True})
    answers = at_once([partial(elsa.twin().patch, path, change) for change in changes])
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    (one,) = listed(elsa)
    assert (one["title"], one["theme"], one["pinned"]) == ("Ett", "rose", True)


@pytest.mark.django_db(transaction=True)
def test_of_simultaneous_removals_one_succeeds(elsa: Caller) -> None:
    path = f"{PATH}/{added(elsa)['id']}"
    answers = at_once([partial(elsa.twin().delete, path)] * 3)
    assert sorted(answer.status_code for answer in answers) == [200, 404, 404]
