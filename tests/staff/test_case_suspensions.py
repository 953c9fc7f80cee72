"""One person is suspended in several cases, and by the command: lifting one leaves the others."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Account, ErasedPerson
from accounts.services.erasure import erase_account
from social.models import Case, CaseAction
from tests.conftest import Caller
from tests.social_actions import dm_of, report, say
from tests.staff.cases import CasePage, open_case
from tests.staff.conftest import Enter


@pytest.fixture
def pages(elsa: Caller, bo: Caller, enter: Enter) -> list[CasePage]:
    """Two cases about Bo, opened by Moa."""
    report(elsa, "profile", "bo.ek")
    report(elsa, "message", say(bo, dm_of(elsa, "bo.ek"), "mean")["id"])
    client = enter()
    cases = Case.objects.order_by("created_at", "pk")
    return [open_case(client, case) for case in cases]


def suspend(page: CasePage, words: str, days: int | None = None) -> str:
    """Suspend the person until the end of a day from today on; the sentence that staff read."""
    day = "" if days is None else str(timezone.localdate() + timedelta(days=days))
    return page.do("suspend", **{"suspend-words": words, "suspend-last_day": day})


def lift(page: CasePage, words: str) -> str:
    """Lift the suspension with these words; the sentence that staff read."""
    (done,) = (each for each in CaseAction.objects.all() if each.words == words)
    said = page.do("undo", action_id=str(done.pk))
    done.refresh_from_db()
    assert done.undone_at is not None
    return said


def reason() -> str:
    """Why Bo is suspended now; empty: he is not."""
    account = Account.objects.get(username="bo.ek")
    return account.suspension_reason if account.has_suspension else ""


@pytest.mark.parametrize(("first", "second"), [(None, 3), (3, None), (3, 5), (5, 3), (None, None)])
def test_lifting_one_suspension_leaves_the_other(
    pages: list[CasePage], first: int | None, second: int | None
) -> None:
    suspend(pages[0], "First.", first)
    suspend(pages[1], "Second.", second)
    assert lift(pages[0], "First.").startswith("It was undone. The account stays suspended")
    assert reason() == "Second."
    assert lift(pages[1], "Second.") == "It was undone."
    assert reason() == ""


def test_lifting_the_longer_one_restores_the_shorter_one_as_it_was(pages: list[CasePage]) -> None:
    suspend(pages[0], "First.", 3)
    began = Account.objects.get(username="bo.ek").suspended_at
    assert suspend(pages[1], "Second.") == "Suspend the account: done."
    assert reason() == "Second."
    lift(pages[1], "Second.")
    account = Account.objects.get(username="bo.ek")
    first = CaseAction.objects.earliest("at")
    assert (account.suspended_until, account.suspension_reason) == (first.until, "First.")
    assert account.suspended_at == began


def test_lifting_leaves_the_suspension_by_the_command(pages: list[CasePage]) -> None:
    suspend(pages[0], "First.", 3)
    day = str(timezone.localdate() + timedelta(days=2))
    call_command("suspend_account", "bo.ek", "--until", day, "--reason", "Asked by the school.")
    assert reason() == "Asked by the school."  # although it is shorter
    lift(pages[0], "First.")
    assert reason() == "Asked by the school."


@pytest.mark.parametrize("by", ["the command", "its end"])
def test_after_a_suspension_is_over_the_case_offers_another_one(
    pages: list[CasePage], by: str
) -> None:
    suspend(pages[0], "First.", 0)
    assert "suspend" not in pages[0].buttons()
    if by == "the command":
        call_command("suspend_account", "bo.ek", "--lift")
    else:
        over = timezone.now()
        CaseAction.objects.update(until=over)
        Account.objects.filter(username="bo.ek").update(suspended_until=over)
    suspend(pages[1], "Second.")
    lift(pages[1], "Second.")
    assert reason() == ""  # the first one does not come back
    assert "suspend" in pages[0].buttons()
    assert suspend(pages[0], "Again.", 3) == "Suspend the account: done."
    assert reason() == "Again."


def test_an_erased_person_stays_suspended_by_the_other_case(pages: list[CasePage]) -> None:
    suspend(pages[0], "First.", 3)
    suspend(pages[1], "Second.")
    erase_account(Account.objects.get(username="bo.ek").pk)
    lift(pages[1], "Second.")
    assert ErasedPerson.objects.get().suspension_reason == "First."
    lift(pages[0], "First.")
    assert not ErasedPerson.objects.exists()


@pytest.mark.parametrize("erased", [False, True])
def test_a_shorter_suspension_does_not_shorten_a_longer_one(
    pages: list[CasePage], erased: bool
) -> None:
    assert suspend(pages[0], "First.") == "Suspend the account: done."
    if erased:
        erase_account(Account.objects.get(username="bo.ek").pk)
    said = suspend(pages[1], "Second.", 3)
    assert "suspended for longer already. That suspension stays as it is." in said
    kept = ErasedPerson.objects.get() if erased else Account.objects.get(username="bo.ek")
    assert (kept.suspended_until, kept.suspension_reason) == (None, "First.")
