"""What moderators are asked and shown before an act: the question, the place, who has the case."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from social.models import Case, CaseAction
from staff.models import AuditEntry
from tests.conftest import Caller
from tests.social_actions import dm_of, report, say
from tests.staff.cases import LIST, CasePage, open_case, page_of, plain
from tests.staff.conftest import Enter, open_list

FOREVER = {"suspend-words": "För dina ord.", "suspend-length": "always"}
DAY = timezone.localdate() + timedelta(days=3)
UNTIL = {**FOREVER, "suspend-length": "day", "suspend-last_day": str(DAY)}
WARNING = {"warn-words": "Skriv inte så."}


@pytest.fixture
def page(elsa: Caller, bo: Caller, enter: Enter) -> CasePage:
    """The case of a message of Bo to Elsa, opened by Moa."""
    report(elsa, "message", say(bo, dm_of(elsa, "bo.ek"), "line")["id"])
    return open_case(enter())


@pytest.mark.parametrize(
    ("pressed", "form", "said"),
    [
        ({"do": "suspend"}, FOREVER, "Suspend Bo Ek (bo.ek) without end"),
        (
            {"do_and_close": "suspend"},
            UNTIL,
            f"Suspend Bo Ek (bo.ek) up to and including {date_format(DAY, 'DATE_FORMAT')}, "
            "and close the case",
        ),
        ({"do": "warn"}, WARNING, "Warn Bo Ek (bo.ek)"),
        ({"do_and_close": "hide_message"}, {}, "Hide the message, and close the case"),
    ],
)
def test_what_somebody_will_feel_is_asked_once_and_said_in_full(
    page: CasePage, pressed: dict[str, str], form: dict[str, str], said: str
) -> None:
    asked = page.ask(**pressed, **form)
    assert f">{said}</button>" in asked.content.decode()
    assert form.get("warn-words", "") in plain(asked)
    assert not CaseAction.objects.exists()
    page.post(**pressed, **form)
    assert CaseAction.objects.count() == 1
    assert Case.objects.get().is_open is ("do" in pressed)


def test_nobody_is_suspended_without_end_because_a_field_was_empty(page: CasePage) -> None:
    words = {"do": "suspend", "suspend-words": "För dina ord.", "sure": "1"}
    for length in ({}, {"suspend-length": "day"}, {**UNTIL, "suspend-length": "always"}):
        page.ask(**(words | length))
    assert not CaseAction.objects.exists()


def test_the_answer_counts_for_the_case_as_it_was_when_it_was_asked(
    page: CasePage, enter: Enter
) -> None:
    before = page.fields()
    CasePage(enter(username="mio"), page.address).open().do("hide_message")
    sent = before | {"do": "warn", **WARNING}
    asked = page.client.post(page.address, sent)
    assert f'name="version" value="{before["version"]}"' in asked.content.decode()
    told = page.client.post(page.address, sent | {"sure": "1"}, follow=True)
    assert "Somebody else has just acted in this case." in plain(told)


def test_a_case_is_taken_seen_by_colleagues_and_given_back(page: CasePage, enter: Enter) -> None:
    mio = CasePage(enter(username="mio"), page.address).open()
    assert page.do("take") == "You have taken the case. Colleagues see that."
    assert "Taken by moa" in mio.text()
    assert " moa " in plain(mio.client.get(LIST))
    assert mio.address not in plain(mio.client.get("/admin/"))
    assert mio.do("leave") == "Nothing was changed: it is like that already."
    assert "Take the case over from moa" in mio.text()
    mio.do("take")
    mio.do("leave")
    assert Case.objects.get().taken_by == ""
    logged = AuditEntry.objects.filter(action__in=["take", "leave"]).order_by("pk")
    acts = [("moa", "take"), ("mio", "take"), ("mio", "leave")]
    assert list(logged.values_list("staff_name", "action")) == acts


def test_a_case_says_where_it_happened_and_who_reads_there(
    page: CasePage, group: str, elsa: Caller, bo: Caller, enter: Enter
) -> None:
    assert "Conversation between two 2 people read there now" in page.text()
    report(elsa, "message", say(bo, group, "line")["id"])
    of_group = open_case(page.client, Case.objects.order_by("created_at").last())
    text = of_group.text()
    assert "Where it happened Group: " in text
    for member in ("Elsa Nordvall (elsa.nordvall), pupil", "Bo Ek (bo.ek), pupil"):
        assert member in text.partition("Where it happened")[2]


def test_threats_come_first_in_the_list_and_on_the_front_page(
    elsa: Caller, bo: Caller, enter: Enter
) -> None:
    dm = dm_of(elsa, "bo.ek")
    for reason in ("spam", "threat", "bullying", "sexual"):
        report(elsa, "message", say(bo, dm, reason)["id"], reason=reason)
    client = enter()
    wanted = ["threat", "sexual", "spam", "bullying"]
    cases = {case.reports.get().reason: page_of(case) for case in Case.objects.all()}
    for path in (LIST, "/admin/"):
        html = client.get(path).content.decode()
        assert sorted(wanted, key=lambda reason: html.index(cases[reason])) == wanted


def test_the_audit_log_reads_in_words(page: CasePage, enter: Enter) -> None:
    page.do("hide_message")
    page.do("undo", action_id=str(CaseAction.objects.get().pk))
    client = enter("auditor", "ada")
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "sv"
    address = "/admin/accounts/auditentry/"
    rows = plain(open_list(client, address, "En fråga."))
    assert "Ångra: Dölj meddelandet" in rows
    assert f"ärende {Case.objects.get().pk.hex}" in rows
    client.get(address, {"q": "bo"})
    rows = plain(client.get(address))
    assert "post i granskningsloggen, träffar på ”bo”: " in rows
    assert "auditentry" not in rows
