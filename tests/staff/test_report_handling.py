"""Moderators open and handle reports."""

import re
from uuid import UUID

import pytest
from django.test import Client

from accounts.models import Account, AuditEntry
from social.models import Report
from tests.conftest import Caller
from tests.social_actions import dm_of, report, say
from tests.staff.conftest import Enter

REASON = "A pupil asked for help."


@pytest.fixture
def bo(elsa: Caller) -> Caller:
    caller = Caller()
    caller.sign_in("bo.ek")
    return caller


@pytest.fixture
def reported(elsa: Caller, bo: Caller) -> str:
    """The admin URL of Elsa's report of Bo's fifth message of nine."""
    dm = dm_of(elsa, "bo.ek")
    ids = [say(bo if n % 2 else elsa, dm, f"line-{n}")["id"] for n in range(1, 10)]
    return f"/admin/social/report/{UUID(report(elsa, 'message', ids[4], 'He is mean.'))}/change/"


def _post(client: Client, page: str, **form: str) -> int:
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', _text(client, page))
    assert token
    status: int = client.post(page, {"csrfmiddlewaretoken": token[1], **form}).status_code
    return status


def _text(client: Client, page: str) -> str:
    return str(client.get(page).content.decode())


def _open(client: Client, page: str) -> None:
    assert _post(client, page, reason=REASON, action="open") == 302


def test_the_list_does_not_show_what_was_reported(reported: str, enter: Enter) -> None:
    text = _text(enter(), "/admin/social/report/")
    assert reported in text
    assert "line-5" not in text
    assert "He is mean." not in text


def test_nothing_is_shown_before_a_reason_is_given(reported: str, enter: Enter) -> None:
    client = enter()
    text = _text(client, reported)
    assert "line-5" not in text
    assert _post(client, reported, reason="", action="open") == 200
    assert "line-5" not in _text(client, reported)
    assert not AuditEntry.objects.filter(action="open").exists()


def test_it_shows_the_message_and_five_neighbours(reported: str, enter: Enter) -> None:
    client = enter()
    _open(client, reported)
    shown = re.findall(r"line-(\d)", _text(client, reported))
    assert shown == ["2", "3", "4", "5", "6", "7"]
    assert "He is mean." in _text(client, reported)
    entry = AuditEntry.objects.get(action="open")
    assert (entry.reason, entry.target) == (REASON, f"report {Report.objects.get().pk.hex}")


def test_an_action_needs_an_opened_report(reported: str, enter: Enter) -> None:
    assert _post(enter(), reported, reason=REASON, action="suspend") == 403
    assert Report.objects.get().status == "open"


def test_hiding_a_message_hides_it_and_closes_the_report(
    reported: str, enter: Enter, elsa: Caller, bo: Caller
) -> None:
    client = enter()
    _open(client, reported)
    assert _post(client, reported, reason=REASON, action="hide_message") == 302
    dm = dm_of(elsa, "bo.ek")
    for caller in (elsa, bo):
        messages = caller.get(f"/api/conversations/{dm}/messages").json()["messages"]
        assert [m["content"] for m in messages if m["seq"] == 5] == [""]
        assert len(messages) == 9
    assert Report.objects.get().status == "handled"
    assert "Warn the person" not in _text(client, reported)
    assert AuditEntry.objects.filter(action="hide_message", reason=REASON).count() == 1


def test_a_hidden_message_can_be_shown_again(reported: str, enter: Enter, elsa: Caller) -> None:
    client = enter()
    _open(client, reported)
    assert _post(client, reported, reason=REASON, action="hide_message") == 302
    assert "Show the message again" in _text(client, reported)
    assert _post(client, reported, reason=REASON, action="show_message") == 302
    dm = dm_of(elsa, "bo.ek")
    shown = elsa.get(f"/api/conversations/{dm}/messages").json()["messages"]
    assert [message["content"] for message in shown if message["seq"] == 5] == ["line-5"]
    assert Report.objects.get().status == "handled"
    assert AuditEntry.objects.filter(action="show_message", reason=REASON).count() == 1


def test_suspending_ends_the_session_at_once(reported: str, enter: Enter, bo: Caller) -> None:
    client = enter()
    _open(client, reported)
    assert _post(client, reported, reason=REASON, action="suspend") == 302
    answer = bo.get("/api/friends")
    assert (answer.status_code, answer.json()["code"]) == (403, "account_suspended")


def test_a_warning_is_read_by_its_person_only(
    reported: str, enter: Enter, elsa: Caller, bo: Caller
) -> None:
    client = enter()
    _open(client, reported)
    assert _post(client, reported, reason=REASON, action="warn") == 302
    (warning,) = bo.get("/api/profile").json()["profile"]["warnings"]
    assert warning["reason"] == "bullying"
    assert elsa.get("/api/profile").json()["profile"]["warnings"] == []
    assert "warnings" not in elsa.get("/api/profile/bo.ek").json()["profile"]


def test_dismissing_does_nothing_but_close(reported: str, enter: Enter, bo: Caller) -> None:
    client = enter()
    _open(client, reported)
    assert _post(client, reported, reason=REASON, action="dismiss") == 302
    assert Report.objects.get().status == "dismissed"
    assert bo.get("/api/friends").status_code == 200


def test_of_two_moderators_the_first_decides(reported: str, enter: Enter) -> None:
    first, second = enter(), enter(username="mio")
    for client in (first, second):
        _open(client, reported)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', _text(second, reported))
    assert token
    assert _post(first, reported, reason=REASON, action="dismiss") == 302
    form = {"csrfmiddlewaretoken": token[1], "reason": REASON, "action": "suspend"}
    assert second.post(reported, form).status_code == 403
    assert not Account.objects.exclude(suspended_at=None).exists()


def test_an_operator_does_not_open_reports(reported: str, enter: Enter) -> None:
    assert enter("operator").get(reported).status_code == 403


def test_a_report_of_something_deleted_can_be_closed(
    reported: str, enter: Enter, bo: Caller
) -> None:
    client = enter()
    message = Report.objects.get().target_id
    conversation = message.partition("-")[0]
    assert bo.delete(f"/api/conversations/{conversation}/{message}").status_code == 200
    _open(client, reported)
    text = _text(client, reported)
    assert "(deleted)" in text
    assert "line-5" not in text


@pytest.mark.parametrize("kind", ["profile", "group"])
def test_reports_of_a_person_and_a_group_can_be_opened(
    kind: str, elsa: Caller, bo: Caller, enter: Enter
) -> None:
    group = elsa.post(
        "/api/conversations", {"type": "group", "groupName": "Ugglorna", "members": ["bo.ek"]}
    ).json()["conversation"]["id"]
    target, words = {"profile": ("bo.ek", "Bo Ek"), "group": (group, "Ugglorna")}[kind]
    page = f"/admin/social/report/{UUID(report(elsa, kind, target))}/change/"
    client = enter()
    _open(client, page)
    assert words in _text(client, page)
