"""Whom a case is about, who reported it, and who may see it."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Account, AccountWarning, Profile
from accounts.services.erasure import erase_account
from accounts.services.suspension import suspend_account
from social.models import Case, CaseAction, Report
from social.services.cases.queue import cases_for, count_open, listed_cases
from social.services.cases.read import case_details
from social.services.evidence import hash_of
from social.services.report_kinds.groups import group_evidence
from tests.conftest import Caller, signed_in
from tests.social_actions import dm_of, report, say
from tests.staff.cases import CasePage, account, key_of, open_case
from tests.staff.conftest import Enter

WARNING = {"warn-words": "Skriv inte så."}
REASON = {"suspend-words": "För dina ord."}


@pytest.fixture
def of_group(group: str, elsa: Caller, enter: Enter) -> CasePage:
    """The case of the group, which Elsa has reported, opened by Moa."""
    report(elsa, "group", group)
    return open_case(enter())


def choose(page: CasePage, username: str, **form: str) -> str:
    return page.do("choose", **{"choose-person": key_of(username)}, **form)


def test_a_group_is_about_nobody_until_staff_choose(of_group: CasePage) -> None:
    assert {"warn", "suspend"} & of_group.buttons() == set()
    for action in ("warn", "suspend"):
        assert of_group.do(action, **WARNING, **REASON).startswith("This is not possible any more")
    assert choose(of_group, "bo.ek") == "The case is about this person now."
    of_group.do("warn", **WARNING)
    assert AccountWarning.objects.get().account == account("bo.ek")


def test_a_case_says_who_the_person_is(elsa: Caller, bo: Caller, enter: Enter) -> None:
    Profile.objects.filter(account=account("bo.ek")).update(display_name="Rektorn")
    report(elsa, "profile", "bo.ek")
    suspend_account(account("bo.ek").pk)
    text = open_case(enter()).text()
    assert "Rektorn (bo.ek), pupil, Björkdalsskolan" in text
    assert "Name at school: Bo Ek" in text
    assert "Suspended since" in text


@pytest.mark.parametrize("came_back", [False, True])
def test_choosing_a_reporter_asks_twice(came_back: bool, of_group: CasePage) -> None:
    elsas = {"choose-person": key_of("elsa.nordvall")}
    if came_back:
        erase_account(account("elsa.nordvall").pk)
        signed_in("elsa.nordvall")
    person = Account.objects.exclude(username="bo.ek").get()
    assert "(elsa.nordvall), who reported it" in of_group.text()
    said = of_group.do("choose", **elsas)
    assert said.startswith("This person is one of those who reported it.")
    assert Case.objects.get().person is None
    of_group.do("choose", **elsas, **{"choose-confirmed": "on"})
    assert Case.objects.get().person == person
    for confirmed in ({}, {"suspend-confirmed": "on"}):
        of_group.do("suspend", **REASON, **confirmed)
        person.refresh_from_db()
        assert person.has_suspension is bool(confirmed)


@pytest.mark.parametrize(
    ("has_account", "others", "action"),
    [("still", 0, "warn"), ("still", 101, "warn"), ("again", 0, "warn"), ("no more", 0, "suspend")],
)
def test_who_has_reported_oneself_is_asked_about_twice(
    has_account: str, others: int, action: str, elsa: Caller, bo: Caller, enter: Enter
) -> None:
    report(bo, "profile", "elsa.nordvall")
    case = Case.objects.get()
    Report.objects.bulk_create(Report(case=case, reason="spam") for _ in range(others))
    report(elsa, "profile", "elsa.nordvall")
    if has_account != "still":
        erase_account(account("elsa.nordvall").pk)
    if has_account == "again":
        signed_in("elsa.nordvall")
    page = open_case(enter())
    assert "This person is also one of those who reported it." in page.text()
    page.do(action, **WARNING, **REASON)
    assert not CaseAction.objects.exists()
    page.do(action, **WARNING, **REASON, **{f"{action}-confirmed": "on"})
    done = CaseAction.objects.get()
    assert (done.name, done.person) == (action, Account.objects.exclude(username="bo.ek").first())


def test_who_has_left_the_group_can_be_chosen(
    group: str, elsa: Caller, bo: Caller, enter: Enter
) -> None:
    body = {"type": "group", "id": group, "reason": "threat", "username": "bo.ek"}
    assert elsa.post("/api/reports", body).status_code == 201
    bo.patch(f"/api/conversations/{group}", {"action": "leave"})
    page = open_case(enter())
    assert "(bo.ek), named by a reporter" in page.text()
    assert "According to this report it is about bo.ek." in page.text()
    choose(page, "bo.ek")
    assert Case.objects.get().person == account("bo.ek")


def test_several_members_are_acted_on_one_after_the_other(of_group: CasePage) -> None:
    choose(of_group, "bo.ek")
    of_group.do("suspend", **REASON)
    choose(of_group, "elsa.nordvall", **{"choose-confirmed": "on"})
    of_group.do("warn", **WARNING, **{"warn-confirmed": "on"})
    of_bo, of_elsa = CaseAction.objects.order_by("at")
    assert (of_bo.person, of_elsa.person) == (account("bo.ek"), account("elsa.nordvall"))
    of_group.do("undo", action_id=str(of_bo.pk))
    assert not account("bo.ek").has_suspension


@pytest.mark.parametrize("wrong", ["", "0" * 64, "alva.lind"])
def test_only_members_can_be_chosen(wrong: str, of_group: CasePage) -> None:
    assert of_group.post(do="choose", **{"choose-person": wrong}).status_code == 200
    assert Case.objects.get().person is None


def test_a_person_who_erased_the_account_can_still_be_suspended(
    elsa: Caller, bo: Caller, enter: Enter
) -> None:
    report(elsa, "message", say(bo, dm_of(elsa, "bo.ek"), "I will find you")["id"])
    erase_account(account("bo.ek").pk)
    page = open_case(enter())
    text = page.text()
    assert "I will find you" in text
    assert "bo.ek . The account was erased." in text
    assert page.buttons() == {"take", "hide_message", "suspend", "close"}
    page.do("suspend", **REASON)
    done, person_hash = CaseAction.objects.get(), Case.objects.get().person_hash
    assert (done.name, done.person, done.person_hash) == ("suspend", None, person_hash)


def test_a_case_is_about_the_person_again_when_they_come_back(
    elsa: Caller, bo: Caller, enter: Enter
) -> None:
    report(elsa, "profile", "bo.ek")
    erase_account(account("bo.ek").pk)
    Caller().sign_in("bo.ek")
    back = Account.objects.exclude(username="elsa.nordvall").get()
    assert Case.objects.get().person == back
    page = open_case(enter())
    assert "When it was reported, their public name was bo.ek." in page.text()
    page.do("warn", **WARNING)
    assert AccountWarning.objects.get().account == back
    report(elsa, "message", say(elsa, dm_of(elsa, back.username), "x")["id"])
    assert elsa.get("/api/reports").json()["reports"][1]["status"] == "open"


def test_it_shows_earlier_cases_and_what_was_done_then(
    elsa: Caller, bo: Caller, enter: Enter
) -> None:
    report(elsa, "message", say(bo, dm_of(elsa, "bo.ek"), "mean")["id"])
    page = open_case(enter())
    page.do("warn", **WARNING)
    page.do("close")
    report(elsa, "profile", "bo.ek")
    later = Case.objects.get(target_type="profile")
    text = open_case(page.client, later).text()
    assert "Other cases about the same person or thing: Message" in text
    assert "something was done" in text
    assert "Skriv inte så." in text
    assert "1 other report by this person: Message" in text


def test_a_report_after_the_case_was_closed_begins_another_one(
    elsa: Caller, bo: Caller, enter: Enter
) -> None:
    message = say(bo, dm_of(elsa, "bo.ek"), "mean")["id"]
    report(elsa, "message", message)
    page = open_case(enter())
    page.do("close")
    report(elsa, "message", message)
    new = Case.objects.get(status="open")
    assert page.address in open_case(page.client, new).html()


def test_moderators_of_a_school_see_cases_about_its_people(
    elsa: Caller, bo: Caller, zoe: Caller
) -> None:
    report(elsa, "profile", "zoe.åkerman")
    report(zoe, "profile", "bo.ek")
    seen = {
        school: [case.person for case in cases_for(frozenset([school]))]
        for school in ("bjorkdalen", "nyvang")
    }
    assert seen == {"bjorkdalen": [account("bo.ek")], "nyvang": [account("zoe.åkerman")]}
    assert count_open(frozenset(["nyvang"])) == (1, 1)
    assert count_open(None) == (2, 2)
    assert count_open(frozenset()) == (0, 0)


def test_the_list_and_the_page_make_a_constant_number_of_queries(
    elsa: Caller, bo: Caller, enter: Enter
) -> None:
    def queries() -> tuple[int, int]:
        with CaptureQueriesContext(connection) as listing:
            rows: list[Any] = list(listed_cases(None))
            assert [case.listed_reports for case in rows]
        with CaptureQueriesContext(connection) as reading:
            case_details(Case.objects.get(target_type="profile"), None)
        return len(listing), len(reading)

    report(elsa, "profile", "bo.ek")
    before = queries()
    for name in ("alva.lind", "ömer.sjölin"):
        other = signed_in(name)
        report(other, "profile", "bo.ek")
        report(other, "message", say(other, dm_of(other, "bo.ek"), "x")["id"])
    assert queries() == before


def test_members_of_the_evidence_are_recognised_after_an_erasure(group: str, bo: Caller) -> None:
    evidence = group_evidence(group)
    assert evidence is not None
    hashes = {hash_of(person) for person in evidence.people}
    assert hashes == {key_of("bo.ek"), key_of("elsa.nordvall")}
