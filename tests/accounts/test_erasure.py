"""Erasing an account: what is removed, and what others keep."""

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

import store
from accounts.models import Account, RetiredName, ServiceSession
from accounts.services import erasure
from accounts.services.erasure import erase_account, finish_erasures
from accounts.services.suspension import refuse_requests
from social.models import Conversation, Membership, Message, Report
from tests.accounts.conftest import unrecorded
from tests.accounts.full_account import CANARY, columns_and_keys_with, fill_account
from tests.conftest import ELSA, Caller, signed_in
from tests.schoolproxy.feeds import new_feed
from tests.social_actions import befriend, new_group
from upstream.simulator.server import Simulator

PASSWORD = {"password": "elsa-demo"}


def _messages(caller: Caller, conversation: str) -> list[dict[str, Any]]:
    answer = caller.get(f"/api/conversations/{conversation}/messages").json()
    page: list[dict[str, Any]] = answer["messages"]
    return page


def test_nothing_of_the_person_is_left(elsa: Caller, bo: Caller) -> None:
    fill_account(elsa, bo)
    assert columns_and_keys_with(CANARY, "elsa.nordvall")
    answer = elsa.delete("/api/account", PASSWORD)
    assert answer.json() == {"success": True}
    assert columns_and_keys_with(CANARY, "elsa.nordvall", "Nordvall") == []
    assert elsa.cookies.get("hash") in (None, "")
    assert RetiredName.holds("elsa.nordvall")


def test_the_cookies_of_another_device_make_no_new_account(elsa: Caller) -> None:
    phone = signed_in()
    assert phone.get("/api/session").status_code == 200
    assert elsa.delete("/api/account", PASSWORD).status_code == 200
    for _ in range(2):  # the first may only find that the cached session is over
        assert phone.get("/api/session").status_code == 401
    assert not Account.objects.exists()


def test_others_keep_their_conversations_and_are_told_of_the_change(
    elsa: Caller, bo: Caller
) -> None:
    kept = fill_account(elsa, bo)
    before = bo.get(f"/api/conversations/{kept['dm']}").json()["conversation"]["revision"]
    elsa.delete("/api/account", PASSWORD)
    messages = _messages(bo, kept["dm"])
    assert [message["seq"] for message in messages] == [4, 3, 2, 1]
    assert [message["content"] for message in messages] == ["", "quoting", "an answer", ""]
    assert [message["senderUsername"] for message in messages] == ["", "bo.ek", "bo.ek", ""]
    assert messages[1]["replyTo"]["content"] == ""
    assert all(message["reactions"] == {} for message in messages)
    path = f"/api/conversations/{kept['dm']}/messages?changedAfter={before}"
    changed = bo.get(path).json()["messages"]
    assert [message["seq"] for message in changed] == [1, 2, 4]
    assert len({message["revision"] for message in changed}) == 3
    group = bo.get(f"/api/conversations/{kept['group']}").json()["conversation"]
    assert (group["participants"], group["adminUsername"]) == (["bo.ek"], "bo.ek")
    assert bo.get(f"/api/notes/shared/{kept['token']}").status_code == 404
    assert bo.get("/api/friends").json()["friends"] == []
    # Reports by and about the person stay open.
    about_elsa, about_bo = Report.objects.select_related("case").order_by("created_at")
    assert about_elsa.case.is_open
    assert about_elsa.case.person is None
    assert about_elsa.case.person_hash != ""
    assert f"{CANARY} one" in about_elsa.evidence
    assert about_bo.case.is_open
    assert about_bo.case.person == Account.objects.get(username="bo.ek")
    assert (about_bo.reporter, about_bo.text) == (None, CANARY)


def test_a_wrong_password_removes_nothing(elsa: Caller, bo: Caller) -> None:
    for body, code in [
        ({"password": "wrong"}, (403, "wrong_password")),
        ({}, (400, "invalid_input")),
        ({"password": 5}, (400, "invalid_input")),
    ]:
        refused = elsa.delete("/api/account", body)
        assert (refused.status_code, refused.json()["code"]) == code
    assert Account.objects.filter(username="elsa.nordvall", suspended_at=None).exists()
    assert elsa.get("/api/profile").status_code == 200


def test_without_the_school_nothing_is_removed(elsa: Caller, simulator: Simulator) -> None:
    simulator.faults.set("login.password", "500")
    assert elsa.delete("/api/account", PASSWORD).status_code in (502, 503)
    assert Account.objects.filter(suspended_at=None).count() == 1


def test_a_new_account_of_the_person_gets_another_name(elsa: Caller) -> None:
    elsa.delete("/api/account", PASSWORD)
    again = Caller()
    assert again.sign_in().json()["user"]["username"] != "elsa.nordvall"
    erase_account(Account.objects.get().pk)
    third = Caller().sign_in().json()["user"]["username"]
    assert not RetiredName.holds(third)


def test_an_interrupted_erasure_is_finished(
    elsa: Caller, bo: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_account(elsa, bo)
    account = Account.objects.get(username="elsa.nordvall")
    monkeypatch.setattr(erasure, "personal_data", lambda: [_Killed()])
    with pytest.raises(KeyboardInterrupt):
        erase_account(account.pk)
    monkeypatch.undo()
    assert elsa.get("/api/profile").status_code == 401
    assert finish_erasures().expired == 0  # it may still be running
    long_ago = timezone.now() - 2 * erasure.ABANDONED
    Account.objects.filter(pk=account.pk).update(erasure_started_at=long_ago)
    assert finish_erasures(dry_run=True).expired == 1
    assert finish_erasures().expired == 1
    assert columns_and_keys_with(CANARY, "elsa.nordvall") == []


def test_an_account_being_erased_is_signed_out_and_not_called_suspended(elsa: Caller) -> None:
    feed = new_feed(elsa)
    Account.objects.update(erasure_started_at=timezone.now())
    refuse_requests(Account.objects.get().pk, "logout")
    answers = [
        elsa.get("/api/session"),
        elsa.post("/api/refresh"),
        elsa.post("/api/v2/token-refresh"),
        Caller().post("/api/login", ELSA),
    ]
    ServiceSession.objects.all().delete()
    answers.append(elsa.get("/api/session"))
    told = [(answer.status_code, answer.json()["code"]) for answer in answers]
    assert told == [(401, "not_signed_in")] * 5
    assert Caller().get(feed).status_code == 404


class _Killed:
    """Part of an erasure during which the process dies."""

    def erase(self, account_id: int) -> None:
        raise KeyboardInterrupt


def test_erasing_twice_is_the_same_as_once(elsa: Caller, bo: Caller) -> None:
    fill_account(elsa, bo)
    account = Account.objects.get(username="elsa.nordvall")
    erase_account(account.pk)
    revisions = list(Conversation.objects.order_by("pk").values_list("revision", flat=True))
    erase_account(account.pk)
    assert list(Conversation.objects.order_by("pk").values_list("revision", flat=True)) == revisions
    assert Message.objects.count() == 5


def test_an_account_being_erased_cannot_be_contacted(elsa: Caller, bo: Caller) -> None:
    befriend(elsa, bo, ("elsa.nordvall", "bo.ek"))
    Caller().sign_in("alva.lind")
    group_id = new_group(elsa, "alva.lind")
    # As seen by a request that looked Bo up a moment before.
    Account.objects.filter(username="bo.ek").update(erasure_started_at=timezone.now())
    target = {"targetUsername": "bo.ek"}
    join = {"action": "add_member", **target}
    assert elsa.patch(f"/api/conversations/{group_id}", join).status_code == 404
    assert elsa.post("/api/conversations", target).status_code == 404
    assert bo.post("/api/friends", {"targetUsername": "alva.lind"}).status_code == 404
    assert not Membership.objects.filter(account__username="bo.ek").exists()


def test_the_command_asks_for_confirmation_and_reports(
    elsa: Caller, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError):
        call_command("erase_account", "nobody")
    call_command("erase_account", "Elsa.Nordvall", "--dry-run")
    assert Account.objects.exists()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: "no")
    with pytest.raises(CommandError):
        call_command("erase_account", "elsa.nordvall")
    call_command("erase_account", "elsa.nordvall", "--yes")
    assert not Account.objects.exists()
    assert "is erased" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "elsa.nordvall\n"])
def test_the_command_reads_no_confirmation_without_a_terminal(
    elsa: Caller, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    with pytest.raises(CommandError, match="Add --yes"):
        call_command("erase_account", "elsa.nordvall")
    assert Account.objects.get().erasure_started_at is None


def test_a_session_without_a_record_ends_too(elsa: Caller, simulator: Simulator) -> None:
    """Also when the store has forgotten it since, and upstream could not end it."""
    other = unrecorded(simulator, "elsa.nordvall", "bjorkdalen")
    assert other.get("/api/session").status_code == 200
    simulator.faults.set("login.page", "500")
    assert elsa.delete("/api/account", PASSWORD).status_code == 200
    store.clear()
    assert other.get("/api/session").status_code == 401
    assert not Account.objects.exists()
