"""GET /api/notes: pages, the last changed note first."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import Account
from notes.limits import PAGE_CHARACTERS
from notes.models import Note
from tests.conftest import Caller
from tests.notes.documents import RICH
from tests.notes.notes import PATH, added, changed, listed, refusal, shared


def filled(count: int, *, together: bool = False, content: str = "") -> list[str]:
    """Add this many notes to the only account; their ids in the order of the list."""
    account = Account.objects.get()
    now = timezone.now()
    step = timedelta(0) if together else timedelta(seconds=1)
    notes = [
        Note(account=account, title=str(i), content=content, created_at=now,
             updated_at=now - i * step)
        for i in range(count)
    ]  # fmt: skip
    Note.objects.bulk_create(notes)
    ordered = sorted(notes, key=lambda note: (note.updated_at, note.pk), reverse=True)
    return [note.pk.hex for note in ordered]


def pages(caller: Caller, limit: int) -> list[list[str]]:
    """The ids of each page."""
    found: list[list[str]] = []
    cursor: str | None = ""
    while cursor is not None:
        query = f"?limit={limit}" + (f"&cursor={cursor}" if cursor else "")
        body = caller.get(f"{PATH}{query}").json()
        assert set(body) == {"success", "notes", "next"}
        found.append([note["id"] for note in body["notes"]])
        cursor = body["next"]
    return found


def test_it_is_empty_at_first(elsa: Caller) -> None:
    assert elsa.get(PATH).json() == {"success": True, "notes": [], "next": None}


def test_the_note_changed_last_comes_first(elsa: Caller) -> None:
    first, second = added(elsa, title="ett"), added(elsa, title="två")
    assert [note["id"] for note in listed(elsa)] == [second["id"], first["id"]]
    after = changed(elsa, first, title="tre")
    assert listed(elsa) == [after, second]


@pytest.mark.parametrize("together", [False, True], ids=["different times", "the same time"])
def test_pages_hold_each_note_once(elsa: Caller, together: bool) -> None:
    ids = filled(7, together=together)
    found = pages(elsa, 3)
    assert [len(page) for page in found] == [3, 3, 1]
    assert [each for page in found for each in page] == ids


def test_a_full_last_page_has_no_next(elsa: Caller) -> None:
    ids = filled(4)
    assert pages(elsa, 2) == [ids[:2], ids[2:]]


def test_the_default_limit_is_100(elsa: Caller) -> None:
    filled(201)
    assert len(listed(elsa)) == 100
    assert len(listed(elsa, "?limit=200")) == 200


def test_a_page_of_long_notes_ends_early(elsa: Caller) -> None:
    ids = filled(3, content="x" * (PAGE_CHARACTERS // 2))
    assert pages(elsa, 3) == [ids[:2], ids[2:]]


def test_a_page_holds_at_least_one_note(elsa: Caller) -> None:
    ids = filled(2, content="x" * (PAGE_CHARACTERS + 1))
    assert pages(elsa, 200) == [ids[:1], ids[1:]]


def test_a_removed_note_does_not_break_the_cursor(elsa: Caller) -> None:
    ids = filled(4)
    cursor = elsa.get(f"{PATH}?limit=2").json()["next"]
    elsa.delete(f"{PATH}/{ids[1]}")
    after = listed(elsa, f"?limit=2&cursor={cursor}")
    assert [note["id"] for note in after] == ids[2:]


def test_a_limit_out_of_range_is_400(elsa: Caller) -> None:
    for limit in ("0", "201", "-1", "x", "1.5", "", "9" * 30):
        refusal(elsa.get(f"{PATH}?limit={limit}"), "limit")


def test_an_empty_cursor_is_none(elsa: Caller) -> None:
    assert elsa.get(f"{PATH}?cursor=").json() == elsa.get(PATH).json()


def test_a_malformed_cursor_is_400(elsa: Caller) -> None:
    for cursor in ("x", "AAAA", "%00", "å", "f" * 32, "-" * 31, "A" * 5000):
        refusal(elsa.get(f"{PATH}?cursor={cursor}"), "cursor")


def test_a_cursor_shows_nothing_of_another_account(elsa: Caller, zoe: Caller) -> None:
    for title in ("ett", "två"):
        added(elsa, title=title)
    cursor = elsa.get(f"{PATH}?limit=1").json()["next"]
    assert zoe.get(f"{PATH}?cursor={cursor}").json() == {
        "success": True,
        "notes": [],
        "next": None,
    }


def test_it_needs_two_queries_for_any_number_of_notes(
    elsa: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    def seen() -> list[Any]:
        with django_assert_num_queries(2):
            return listed(elsa)

    for _ in range(3):
        shared(elsa, added(elsa, content=RICH))
    assert [bool(note["shareToken"]) for note in seen()] == [True] * 3
    filled(40)
    assert len(seen()) == 43
