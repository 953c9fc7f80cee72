"""Moderators of named schools: which cases and numbers they see."""

import pytest

from accounts.models import Account
from accounts.services.erased_people import hash_of_person
from social.models import Case
from tests.conftest import Caller
from tests.social.factories import group_of
from tests.social_actions import report
from tests.staff.cases import CasePage, page_of
from tests.staff.conftest import Enter


@pytest.fixture
def group(elsa: Caller, zoe: Caller) -> str:
    """A group of Elsa, at bjorkdalen, with Zoe, at nyvang."""
    return group_of("elsa.nordvall", "zoe.åkerman").pk.hex


def key_of(person: Account) -> str:
    return hash_of_person(person.school, person.upstream_user_id)


def test_a_case_stays_with_its_school_when_it_is_about_a_person_of_another(
    group: str, elsa: Caller, enter: Enter
) -> None:
    report(elsa, "group", group)
    page = CasePage(enter(schools=["bjorkdalen"]), page_of()).open()
    zoe = Account.objects.get(school="nyvang")
    said = page.do("choose", **{"choose-person": key_of(zoe)})
    assert said == (
        "The case is about this person now. The person is of another school. The case stays with "
        "the moderators of the school that had it."
    )
    assert (Case.objects.get().person, Case.objects.get().school) == (zoe, "bjorkdalen")
    page.do("warn", **{"warn-words": "Skriv inte så."})
    page.do("close")
    assert "Skriv inte så." in page.text()


def test_a_case_without_a_school_gets_that_of_its_person(
    group: str, elsa: Caller, enter: Enter
) -> None:
    report(elsa, "group", group)
    Case.objects.update(school="")
    page = CasePage(enter(), page_of()).open()
    said = page.do("choose", **{"choose-person": key_of(Account.objects.get(school="nyvang"))})
    assert said == "The case is about this person now."
    assert Case.objects.get().school == "nyvang"
