"""POST /api/reports: what may be reported, by whom, and how often it counts."""

from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import Account
from accounts.registry import report_kinds
from accounts.services.suspension import suspend_account
from social.errors import AlreadyAnswered, NotThere
from social.models import Conversation, Message, Report
from social.services.reports import Outcome, handle_report
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.social.factories import account, dm_of, group_of
from tests.social.friend_requests import block, code_of, signed_in

PATH = "/api/reports"
ELSA, BO, ALVA = "elsa.nordvall", "bo.ek", "alva.lind"
NOT_FOUND = (404, "not_found")


@pytest.fixture
def bo(elsa: Caller) -> Caller:
    return signed_in(BO)


def report(caller: Caller, kind: str, target: str, **more: Any) -> Any:
    return caller.post(PATH, {"type": kind, "id": target, "reason": "bullying", **more})


def message_in(conversation: Conversation, sender: str, seq: int = 1) -> str:
    """The id of a message that is there already."""
    message = Message.objects.create(
        conversation=conversation,
        seq=seq,
        revision=seq,
        sender=account(sender),
        content="Hej",
        created_at=timezone.now(),
    )
    return message.public_id


def test_a_profile_is_reported_by_name_and_kept_by_account(elsa: Caller, bo: Caller) -> None:
    made = report(elsa, "profile", "Bo.Ek", text=" Han är dum. ")
    assert made.status_code == 201
    shown = made.json()["report"]
    assert shown.keys() == {"id", "type", "reason", "status", "createdAt"}
    assert (shown["type"], shown["reason"], shown["status"]) == ("profile", "bullying", "open")
    kept = Report.objects.get()
    assert kept.pk.hex == shown["id"]
    assert (kept.reporter, kept.subject) == (account(ELSA), account(BO))
    assert (kept.target_id, kept.text) == (str(account(BO).pk), "Han är dum.")


def test_members_can_report_a_message_and_a_group(elsa: Caller, bo: Caller) -> None:
    signed_in(ALVA)
    group = group_of(BO, ELSA)
    message = message_in(group, BO)
    assert report(elsa, "message", message).status_code == 201
    assert report(elsa, "group", group.pk.hex).status_code == 201
    assert {each.subject for each in Report.objects.all()} == {account(BO)}
    assert {each.target_id for each in Report.objects.all()} == {message, group.pk.hex}


def test_a_note_is_reported_by_the_token_of_its_link(elsa: Caller, bo: Caller) -> None:
    note = bo.post("/api/notes", {"content": "Fult."}).json()["note"]["id"]
    token = bo.post(f"/api/notes/{note}/share").json()["token"]
    assert report(elsa, "note", token).status_code == 201
    assert code_of(report(elsa, "note", note)) == NOT_FOUND
    kept = Report.objects.get()
    assert (kept.target_id, kept.subject) == (note, account(BO))


def test_a_target_that_the_caller_cannot_see_is_the_same_404(elsa: Caller, bo: Caller) -> None:
    alva = signed_in(ALVA)
    group, dm = group_of(BO, ALVA), dm_of(BO, ALVA)
    block(bo, ELSA)
    suspend_account(account(ALVA).pk)
    assert alva.get("/api/friends").status_code == 403
    hidden = [
        ("message", message_in(group, BO)),
        ("message", message_in(dm, BO)),
        ("message", f"{uuid4().hex}-1"),
        ("message", "nonsense"),
        ("group", group.pk.hex),
        ("group", dm.pk.hex),
        ("group", uuid4().hex),
        ("profile", BO),
        ("profile", ALVA),
        ("profile", "nobody.here"),
        ("note", uuid4().hex),
        ("note", "x" * 43),
    ]
    answers = [report(elsa, kind, target) for kind, target in hidden]
    assert {code_of(one) for one in answers} == {NOT_FOUND}
    assert len({one.content for one in answers}) == 1
    assert not Report.objects.exists()


def test_a_direct_conversation_is_not_a_group(elsa: Caller, bo: Caller) -> None:
    assert code_of(report(elsa, "group", dm_of(ELSA, BO).pk.hex)) == NOT_FOUND


def test_a_blocked_person_can_still_be_reported(elsa: Caller, bo: Caller) -> None:
    block(elsa, BO)
    assert report(elsa, "profile", BO).status_code == 201
    assert code_of(report(bo, "profile", ELSA)) == NOT_FOUND


def test_reporting_the_same_again_is_200_while_it_is_open(elsa: Caller, bo: Caller) -> None:
    first = report(elsa, "profile", BO)
    again = report(elsa, "profile", BO, reason="spam", text="Igen!")
    assert again.status_code == 200
    assert first.json() == again.json()
    assert report(bo, "profile", BO).status_code == 201  # somebody else's
    handle_report(Report.objects.get(reporter=account(ELSA)).pk, outcome="handled")
    assert report(elsa, "profile", BO).status_code == 201
    assert Report.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_four_at_once_are_one(elsa: Caller) -> None:
    signed_in(BO)
    windows = [Caller() for _ in range(4)]
    for window in windows:
        for name, value in elsa.cookies.items():
            window.set_cookie(name, value)
    answers = at_once([partial(report, window, "profile", BO) for window in windows])
    assert sorted(one.status_code for one in answers) == [200, 200, 200, 201]
    assert len({one.json()["report"]["id"] for one in answers}) == 1


def test_only_reports_of_encrypted_messages_have_a_disclosed_text(elsa: Caller, bo: Caller) -> None:
    plain, secret = group_of(BO, ELSA), group_of(BO, ELSA)
    Conversation.objects.filter(pk=secret.pk).update(encryption="aes-gcm")
    others = [("message", message_in(plain, BO)), ("group", secret.pk.hex), ("profile", BO)]
    for kind, target in others:
        refused = report(elsa, kind, target, disclosed="Hej")
        assert code_of(refused) == (400, "invalid_input")
        assert refused.json()["fields"].keys() == {"disclosed"}
    made = report(elsa, "message", message_in(secret, BO), disclosed=" Hej \n")
    assert made.status_code == 201
    assert Report.objects.get().disclosed == " Hej \n"
    assert "disclosed" not in made.json()["report"]


WRONG: list[dict[str, Any]] = [
    {"type": "school"},
    {"type": None},
    {"id": ""},
    {"id": 17},
    {"id": "a" * 301},
    {"reason": "ugly"},
    {"text": "a" * 1001},
    {"text": 5},
    {"disclosed": "a" * 8193},
]


def test_a_body_of_the_wrong_shape_is_400(elsa: Caller, bo: Caller) -> None:
    for wrong in WRONG:
        refused = elsa.post(PATH, {"type": "profile", "id": BO, "reason": "spam", **wrong})
        assert code_of(refused) == (400, "invalid_input")
        assert refused.json()["fields"].keys() == wrong.keys()
    assert report(elsa, "profile", BO, text="a" * 1000).status_code == 201


def test_reports_are_limited(elsa: Caller, bo: Caller, settings: Settings) -> None:
    settings.LIMITS = {"reports": "2/3600"}
    statuses = [report(elsa, "profile", name).status_code for name in ("x.y", BO, BO)]
    assert statuses == [404, 201, 429]


@pytest.mark.parametrize("outcome", ["handled", "dismissed"])
def test_staff_close_a_report_once(elsa: Caller, bo: Caller, outcome: Outcome) -> None:
    report(elsa, "profile", BO)
    made = Report.objects.get()
    handle_report(made.pk, outcome=outcome)
    made.refresh_from_db()
    assert (made.status, made.handled_at is not None) == (outcome, True)
    with pytest.raises(AlreadyAnswered):
        handle_report(made.pk, outcome="dismissed")
    with pytest.raises(NotThere):
        handle_report(uuid4(), outcome="handled")


def test_every_type_of_the_contract_has_a_target() -> None:
    assert {kind.name for kind in report_kinds()} == {"message", "profile", "group", "note"}


def test_an_erased_reporters_name_is_in_no_report(elsa: Caller, bo: Caller) -> None:
    report(elsa, "profile", BO)
    Account.objects.get(username=ELSA).delete()
    assert Report.objects.get().reporter is None
