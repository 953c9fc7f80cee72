"""Who insults somebody by a profile and then erases the account is reported all the same."""

import base64
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts import data_map
from accounts.models import Account, KeptText
from accounts.services.erasure import erase_account
from social.models import Case
from tests.abuse.people import NOT_FOUND, report
from tests.abuse.returning import returned
from tests.accounts.full_account import columns_and_keys_with
from tests.accounts.images import picture, send
from tests.conftest import Caller
from tests.social.cast import Cast
from tests.social.friend_requests import code_of
from tests.staff.cases import CasePage, open_case
from tests.staff.conftest import Enter

EARLIER, INSULT, NAME = "Elsa luktar", "Elsa är ful", "Hatar Elsa"


@pytest.fixture
def file(cast: Cast) -> str:
    """Bo's profile insults Elsa: its texts, one that he has changed, and its picture in base64."""
    assert cast.elsa.account_id
    for bio in (EARLIER, INSULT):
        body = {"displayName": NAME, "bio": bio, "location": "Hemma hos Elsa"}
        assert cast.bo.put("/api/profile", body).status_code == 200
    shown = Caller().get(send(cast.bo, picture(colour=(0, 0, 0)), kind="avatar").json()["url"])
    return base64.b64encode(shown.content).decode()


def before(page: CasePage) -> str:
    """What the page says that stood there before."""
    return page.text().partition("What stood there before")[2]


def erase(cast: Cast) -> None:
    assert cast.bo.delete("/api/account", {"password": "bo-demo"}).status_code == 200


def erase_with_a_break(cast: Cast) -> None:
    """A killed erasure is finished later."""
    Account.objects.filter(pk=cast.bo.account_id).update(
        erasure_started_at=timezone.now() - timedelta(hours=1)
    )
    data_map.erase(cast.bo.account_id)
    call_command("purge_expired")
    assert not Account.objects.filter(pk=cast.bo.account_id).exists()


@pytest.mark.parametrize("name", ["bo.ek", "Bo.Ek"])
@pytest.mark.parametrize("way", [erase, erase_with_a_break], ids=lambda way: way.__name__)
def test_staff_see_the_profile_and_suspend_who_it_was(
    cast: Cast, file: str, enter: Enter, way: Callable[[Cast], Any], name: str
) -> None:
    way(cast)
    assert report(cast.elsa, "profile", name).status_code == 201
    page = open_case(enter())
    assert "It no longer exists." in page.text()
    for text in ("Public name bo.ek", f"Bio {EARLIER}", f"Bio {INSULT}", f"Display name {NAME}"):
        assert before(page).count(text) == 1
    assert page.html().count(file) == 1
    assert page.do("suspend", **{"suspend-words": "Sluta."}).startswith("Suspend the account: done")
    body = {"username": "bo.ek", "password": "bo-demo", "school": "bjorkdalen"}
    assert code_of(Caller().post("/api/login", body)) == (403, "account_suspended")


def test_the_new_account_answers_for_the_profile_before(
    cast: Cast, file: str, enter: Enter
) -> None:
    bo = returned(cast.bo, "bo.ek")
    assert bo.username != "bo.ek"
    staff = enter()
    for name, status in ((bo.username, 201), ("bo.ek", 200)):
        assert report(cast.elsa, "profile", name).status_code == status
    case = Case.objects.get()
    assert (case.person_id, case.target_id) == (bo.account_id, str(bo.account_id))
    page = open_case(staff)
    for text in (f"Bio {EARLIER}", f"Bio {INSULT}", f"Display name {NAME}"):
        assert text in before(page)
    assert file in page.html()
    assert "remove_profile_texts" in page.buttons()


def test_who_erases_a_second_account_answers_for_both(cast: Cast, file: str, enter: Enter) -> None:
    second = returned(cast.bo, "bo.ek")
    assert second.put("/api/profile", {"bio": "Elsa är dum"}).status_code == 200
    erase_account(second.account_id)
    staff = enter()
    for name, status in (("bo.ek", 201), (second.username, 200)):
        assert report(cast.elsa, "profile", name).status_code == status
    text = before(open_case(staff))
    assert INSULT in text
    assert "Elsa är dum" in text


def test_a_case_from_before_the_erasure_gets_the_later_report(
    cast: Cast, file: str, enter: Enter
) -> None:
    assert report(cast.elsa, "profile", "bo.ek").status_code == 201
    erase(cast)
    assert report(cast.elsa, "profile", "bo.ek").status_code == 200
    assert report(cast.alva, "profile", "bo.ek").status_code == 201
    assert Case.objects.count() == 1


def test_after_fourteen_days_nobody_has_had_the_name(cast: Cast, file: str) -> None:
    erase(cast)
    assert columns_and_keys_with(INSULT) == columns_and_keys_with(file) == []
    KeptText.objects.update(gone_at=timezone.now() - timedelta(days=14))
    gone, unknown = (report(cast.elsa, "profile", name) for name in ("bo.ek", "nobody.here"))
    assert code_of(gone) == NOT_FOUND
    assert gone.content == unknown.content
    call_command("purge_expired")
    assert not KeptText.objects.exists()
