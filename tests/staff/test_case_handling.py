"""Moderators open a case, act in it, and close it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Account
from social.errors import StateConflict
from social.models import Case, CaseAction
from social.services.cases.actions import StaffAct, act_on_target
from staff.models import AuditEntry
from tests.conftest import Caller
from tests.social_actions import dm_of, report, say
from tests.staff.cases import LIST, REASON, CasePage, page_of, plain
from tests.staff.conftest import Enter

WARNING = "Skriv inte så."
SUSPENSION = {"suspend-words": "For your words."}


@pytest.fixture
def reported(elsa: Caller, bo: Caller) -> str:
    """The page of the case of Bo's fifth message of nine, which Elsa has reported."""
    dm = dm_of(elsa, "bo.ek")
    ids = [say(bo if n % 2 else elsa, dm, f"line-{n}")["id"] for n in range(1, 10)]
    report(elsa, "message", ids[4], "He is mean.")
    return page_of()


@pytest.fixture
def unopened(reported: str, enter: Enter) -> CasePage:
    """The case, as Moa finds it."""
    return CasePage(enter(), reported)


@pytest.fixture
def page(unopened: CasePage) -> CasePage:
    """The case, opened by Moa."""
    return unopened.open()


def fifth_message(caller: Caller) -> str:
    """What a member of the conversation reads there."""
    (dm,) = (each["id"] for each in caller.get("/api/conversations").json()["conversations"])
    messages = caller.get(f"/api/conversations/{dm}/messages").json()["messages"]
    (content,) = (message["content"] for message in messages if message["seq"] == 5)
    return str(content)


def own_reports(caller: Caller) -> list[tuple[str, str | None]]:
    reports = caller.get("/api/reports").json()["reports"]
    return [(each["status"], each["outcome"]) for each in reports]


def test_the_list_shows_what_waits_but_not_what_was_reported(reported: str, enter: Enter) -> None:
    client = enter()
    answer = client.get(LIST)
    assert reported in answer.content.decode()
    assert "Message Bullying 1 bjorkdalen open" in plain(answer)
    for hidden in ("line-5", "He is mean.", "bo.ek", "elsa.nordvall"):
        assert hidden not in plain(answer)


def test_the_front_page_counts_open_and_unopened_cases(reported: str, enter: Enter) -> None:
    client = enter()
    assert "1 open case 1 case that nobody has opened" in plain(client.get("/admin/"))
    page = CasePage(client, reported).open()
    assert "1 open case 0 cases that nobody has opened" in plain(client.get("/admin/"))
    in_swedish = client.get("/admin/", headers={"Accept-Language": "sv"})
    assert "1 öppet ärende 0 ärenden som ingen har öppnat" in plain(in_swedish)
    page.do("close")
    assert "0 open cases" in plain(client.get("/admin/"))
    assert "open case" not in plain(enter("operator", "otto").get("/admin/"))


def test_nothing_is_shown_before_a_reason_is_given(unopened: CasePage) -> None:
    assert "line-5" not in unopened.text()
    for reason in ("", "oops"):
        assert unopened.post(open="1", reason=reason).status_code == 200
    assert "line-5" not in unopened.text()
    assert not AuditEntry.objects.filter(action="open").exists()
    assert Case.objects.get().opened_at is None
    assert unopened.post(do="suspend", version="0").status_code == 403
    assert unopened.post(do_and_close="hide_message", version="0").status_code == 403
    assert not CaseAction.objects.exists()


def test_opening_is_logged_and_shows_the_case_to_one_moderator(
    page: CasePage, enter: Enter
) -> None:
    entry = AuditEntry.objects.get(action="open")
    assert (entry.reason, entry.target) == (REASON, f"case {Case.objects.get().pk.hex}")
    assert Case.objects.get().opened_at is not None
    assert "line-5" in page.text()
    assert "line-5" not in CasePage(enter(username="mio"), page.address).text()


def test_an_operator_does_not_open_cases(reported: str, enter: Enter) -> None:
    assert enter("operator").get(reported).status_code == 403


def test_several_things_are_done_in_one_case(page: CasePage, elsa: Caller, bo: Caller) -> None:
    assert page.do("hide_message") == "Hide the message: done."
    assert page.do("warn", **{"warn-words": WARNING}) == "Warn the person: done."
    assert page.do("suspend", **SUSPENSION) == "Suspend the account: done."
    assert Case.objects.get().is_open
    assert fifth_message(elsa) == ""
    assert bo.get("/api/friends").json()["code"] == "account_suspended"
    assert page.do("close", **{"close-note": "Parents are told."}) == "The case is closed."
    assert own_reports(elsa) == [("closed", "acted")]
    done = CaseAction.objects.order_by("at").values_list("name", "staff")
    assert list(done) == [("hide_message", "moa"), ("warn", "moa"), ("suspend", "moa")]
    assert "Parents are told." in page.text()
    assert page.buttons() == {"undo"}
    logged = AuditEntry.objects.exclude(action__in=["look", "list"]).order_by("pk")
    acts = ["open", "hide_message", "warn", "suspend", "close"]
    assert list(logged.values_list("action", "reason")) == [(act, REASON) for act in acts]


def test_an_act_can_close_the_case_too(page: CasePage, elsa: Caller) -> None:
    answer = page.post(do_and_close="hide_message")
    assert answer["Location"] == LIST
    assert fifth_message(elsa) == ""
    assert own_reports(elsa) == [("closed", "acted")]
    assert AuditEntry.objects.filter(action__in=["hide_message", "close"]).count() == 2


def test_closing_alone_does_nothing_else(page: CasePage, elsa: Caller, bo: Caller) -> None:
    assert own_reports(elsa) == [("open", None)]
    page.do("close")
    assert own_reports(elsa) == [("closed", "no_action")]
    assert fifth_message(elsa) == "line-5"
    assert bo.get("/api/friends").status_code == 200


def test_undo_takes_back_one_thing_and_says_which(page: CasePage, elsa: Caller) -> None:
    assert "undo" not in page.buttons()
    page.do("hide_message")
    page.do("suspend", **SUSPENSION)
    hidden = CaseAction.objects.get(name="hide_message")
    assert "Show the message again" in page.text()
    assert "Lift the suspension" in page.text()
    page.do("undo", action_id=str(hidden.pk))
    assert fifth_message(elsa) == "line-5"
    assert "Show the message again" not in page.text()
    assert Account.objects.get(username="bo.ek").has_suspension
    assert page.do("undo", action_id=str(hidden.pk)).startswith("This is not possible any more")
    assert Case.objects.get().is_open
    page.do("undo", action_id=str(CaseAction.objects.get(name="suspend").pk))
    page.do("close")
    assert own_reports(elsa) == [("closed", "no_action")]


def test_a_suspension_is_lifted_after_the_case_was_closed(page: CasePage, bo: Caller) -> None:
    page.post(do_and_close="suspend", **SUSPENSION)
    assert bo.get("/api/friends").status_code == 403
    assert page.do("undo", action_id=str(CaseAction.objects.get().pk)) == "It was undone."
    assert bo.get("/api/friends").status_code == 200
    assert not Case.objects.get().is_open


def test_a_warning_has_the_moderators_words_for_its_person_only(
    page: CasePage, elsa: Caller, bo: Caller
) -> None:
    assert page.post(do="warn", **{"warn-words": " "}).status_code == 200
    assert page.post(do="warn", **{"warn-words": "x" * 501}).status_code == 200
    assert bo.get("/api/profile").json()["profile"]["warnings"] == []
    page.do("warn", **{"warn-words": WARNING})
    (warning,) = bo.get("/api/profile").json()["profile"]["warnings"]
    assert WARNING in warning.values()
    assert elsa.get("/api/profile").json()["profile"]["warnings"] == []
    assert "warnings" not in elsa.get("/api/profile/bo.ek").json()["profile"]


def test_a_suspension_ends_after_its_last_day(page: CasePage) -> None:
    assert "You have bullied somebody." in page.html()  # the proposed reason
    today = timezone.localdate()
    for wrong in (today - timedelta(days=1), today + timedelta(days=9999), "nonsense"):
        form = {"suspend-words": "Because.", "suspend-last_day": str(wrong)}
        assert page.post(do="suspend", **form).status_code == 200
    assert not Account.objects.exclude(suspended_at=None).exists()
    page.do("suspend", **{"suspend-words": "Because.", "suspend-last_day": str(today)})
    until = CaseAction.objects.get().until
    assert f"{timezone.localtime(until):%F %T}" == f"{today + timedelta(days=1)} 00:00:00"


def test_of_two_moderators_the_second_is_told(page: CasePage, enter: Enter) -> None:
    second = CasePage(enter(username="mio"), page.address).open()
    seen = second.fields()
    page.do("hide_message")
    told = second.client.post(second.address, seen | {"do": "close"}, follow=True)
    assert "Somebody else has just acted in this case." in plain(told)
    assert Case.objects.get().is_open
    assert "Hide the message : moa" in second.text()
    seen = second.fields()
    page.do("close")
    warn = {"do": "warn", "warn-words": WARNING, "sure": "1"}
    told = second.client.post(second.address, seen | warn, follow=True)
    assert "This case is closed." in plain(told)
    assert CaseAction.objects.count() == 1


@pytest.mark.parametrize("version", ["", "-1", "x", "9" * 30, "²"])
def test_an_act_without_the_version_that_was_seen_is_refused(page: CasePage, version: str) -> None:
    page.post(do="hide_message", version=version)
    assert not CaseAction.objects.exists()


def test_what_does_not_exist_cannot_be_done(page: CasePage) -> None:
    for name in ("choose", "take_down_note", "show_message", "__class__", ""):
        assert page.do(name).startswith("This is not possible any more")
    assert not CaseAction.objects.exists()


def test_the_services_act_in_open_cases_only(page: CasePage) -> None:
    page.do("close")
    case = Case.objects.get()
    with pytest.raises(StateConflict):
        act_on_target(StaffAct(case.pk, "moa", case.version), action="hide_message")
    assert not CaseAction.objects.exists()
