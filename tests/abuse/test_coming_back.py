"""What somebody finds who has erased the account and signed in again."""

import pytest

from social.models import Case
from tests.abuse.people import REFUSED, become_friends, part, report, write
from tests.abuse.returning import returned
from tests.social.cast import Cast
from tests.social.friend_requests import code_of
from tests.staff.cases import open_case
from tests.staff.conftest import Enter

TEACHER = "torbjörn.ekvik"


@pytest.mark.parametrize("history", ["was a friend", "was answered"])
def test_a_teacher_who_comes_back_writes_to_no_pupil(cast: Cast, history: str) -> None:
    teacher, elsa = cast.teacher, cast.elsa
    if history == "was a friend":
        become_friends(elsa, teacher)
        dm = teacher.dm(elsa)
        assert write(teacher, dm) == (201, "")
        part(elsa, teacher)
    else:
        dm = elsa.dm(teacher)
        assert write(elsa, dm) == (201, "")
        assert write(teacher, dm) == (201, "")
    teacher = returned(teacher, TEACHER)
    assert write(teacher, dm)[0] == 404
    begun = teacher.post("/api/conversations", {"targetUsername": elsa.username})
    assert code_of(begun) == REFUSED
    assert code_of(teacher.new_group(elsa)) == REFUSED


def test_a_pupil_who_comes_back_has_answered_to_no_teacher(cast: Cast) -> None:
    teacher, elsa = cast.teacher, cast.elsa
    dm = elsa.dm(teacher)
    assert write(elsa, dm) == (201, "")
    elsa = returned(elsa, "elsa.nordvall")
    assert write(teacher, dm) == REFUSED
    begun = teacher.post("/api/conversations", {"targetUsername": elsa.username})
    assert code_of(begun) == REFUSED


def test_staff_see_what_was_done_about_the_account_before(cast: Cast, enter: Enter) -> None:
    bo, elsa = cast.bo, cast.elsa
    assert report(elsa, "profile", bo.username).status_code == 201
    staff = enter()
    first = open_case(staff)
    first.do("warn", **{"warn-words": "Sluta med det."})
    first.do("close")
    bo = returned(bo, "bo.ek")
    assert report(elsa, "profile", bo.username).status_code == 201
    second = open_case(staff, Case.objects.get(status=Case.OPEN))
    assert "Sluta med det." in second.text()
