"""Moderators of named schools: which cases and numbers they see."""

import pytest

from social.models import Case
from tests.conftest import Caller
from tests.social.factories import group_of
from tests.social_actions import report
from tests.staff.cases import account, key_of, open_case
from tests.staff.conftest import Enter


@pytest.fixture
def group(elsa: Caller, zoe: Caller) -> str:
    """A group of Elsa, at bjorkdalen, with Zoe, at nyvang."""
    return group_of("elsa.nordvall", "zoe.åkerman").pk.hex


def test_a_case_stays_with_its_school_when_it_is_about_a_person_of_another(
    group: str, elsa: Caller, enter: Enter
) -> None:
    report(elsa, "group", group)
    page = open_case(enter(schools=["bjorkdalen"]))
    said = page.do("choose", **{"choose-person": key_of("zoe.åkerman")})
    assert said == (
        "The case is about this person now. The person is of another school. The case stays with "
        "the moderators of the school that had it."
    )
    assert (Case.objects.get().person, Case.objects.get().school) == (
        account("zoe.åkerman"),
        "bjorkdalen",
    )
    page.do("warn", **{"warn-words": "Skriv inte så."})
    page.do("close")
    assert "Skriv inte så." in page.text()


def test_a_case_without_a_school_gets_that_of_its_person(
    group: str, elsa: Caller, enter: Enter
) -> None:
    report(elsa, "group", group)
    Case.objects.update(school="")
    page = open_case(enter())
    said = page.do("choose", **{"choose-person": key_of("zoe.åkerman")})
    assert said == "The case is about this person now."
    assert Case.objects.get().school == "nyvang"
