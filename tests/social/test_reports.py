"""/api/reports: what may be reported, by whom, how often it counts, and what becomes of it."""

import unicodedata
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from accounts.models import Account
from accounts.services.suspension import suspend_account
from social.models import Case, Conversation, Invite, Message, Report
from social.services.cases.actions import StaffAct, close_case
from social.services.reports import own_reports
from tests.accounts.full_account import columns_and_keys_with
from tests.concurrency import at_once
from tests.conftest import Caller, signed_in
from tests.social.factories import account, dm_of, group_of
from tests.social.friend_requests import block, code_of

PATH = "/api/reports"
ELSA, BO, ALVA = "elsa.nordvall", "bo.ek", "alva.lind"
NOT_FOUND = (404, "not_found")


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


def close(case: Case) -> None:
    close_case(StaffAct(case.pk, "moa", case.version))


def test_a_profile_is_reported_by_name_and_kept_by_account(elsa: Caller, bo: Caller) -> None:
    made = report(elsa, "profile", "Bo.Ek", text=" Han är dum. ")
    assert made.status_code == 201
    shown = made.json()["report"]
    assert shown.keys() == {"id", "type", "reason", "status", "outcome", "createdAt"}
    assert (shown["type"], shown["reason"]) == ("profile", "bullying")
    assert (shown["status"], shown["outcome"]) == ("open", None)
    kept = Report.objects.get()
    assert kept.pk.hex == shown["id"]
    assert (kept.reporter, kept.case.person) == (account(ELSA), account(BO))
    assert (kept.case.target_id, kept.text) == (str(account(BO).pk), "Han är dum.")
    assert (kept.case.school, kept.case.person_name) == ("bjorkdalen", BO)


def test_members_can_report_a_message_and_a_group(elsa: Caller, bo: Caller) -> None:
    signed_in(ALVA)
    group = group_of(BO, ELSA)
    message = message_in(group, BO)
    assert report(elsa, "message", message).status_code == 201
    assert report(elsa, "group", group.pk.hex).status_code == 201
    about = dict(Case.objects.values_list("target_type", "person"))
    assert about == {"message": account(BO).pk, "group": None}  # its admin is not the culprit
    assert set(Case.objects.values_list("target_id", flat=True)) == {message, group.pk.hex}


def test_a_note_is_reported_by_the_token_of_its_link(elsa: Caller, bo: Caller) -> None:
    note = bo.post("/api/notes", {"content": "Fult."}).json()["note"]["id"]
    token = bo.post(f"/api/notes/{note}/share").json()["token"]
    assert report(elsa, "note", token).status_code == 201
    assert code_of(report(elsa, "note", note)) == NOT_FOUND
    kept = Case.objects.get()
    assert (kept.target_id, kept.person) == (note, account(BO))


def test_a_target_that_the_caller_cannot_see_is_the_same_404(elsa: Caller, bo: Caller) -> None:
    signed_in(ALVA)
    group, dm = group_of(BO, ALVA), dm_of(BO, ALVA)
    hidden = [
        ("message", message_in(group, BO)),
        ("message", message_in(dm, BO)),
        ("message", f"{uuid4().hex}-1"),
        ("message", "nonsense"),
        ("group", group.pk.hex),
        ("group", dm.pk.hex),
        ("group", uuid4().hex),
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


def test_a_profile_is_reported_across_a_block_and_a_suspension(elsa: Caller, bo: Caller) -> None:
    signed_in(ALVA)
    suspend_account(account(ALVA).pk)
    block(bo, ELSA)
    answers = [report(*each) for each in ((elsa, "profile", BO), (bo, "profile", ELSA))]
    answers.append(report(elsa, "profile", ALVA))
    assert [answer.status_code for answer in answers] == [201] * 3
    unknown = elsa.get("/api/profile/nobody.here")
    assert code_of(unknown) == NOT_FOUND
    assert {elsa.get(f"/api/profile/{name}").content for name in (BO, ALVA)} == {unknown.content}


def test_reporting_the_same_again_is_200_while_it_is_open(elsa: Caller, bo: Caller) -> None:
    first = report(elsa, "profile", BO)
    again = report(elsa, "profile", BO, reason="spam", text="Igen!")
    assert again.status_code == 200
    assert first.json() == again.json()
    assert elsa.get(PATH).json()["reports"] == [first.json()["report"]]
    assert report(bo, "profile", BO).status_code == 201  # somebody else's
    assert Case.objects.count() == 1
    close(Case.objects.get())
    assert report(elsa, "profile", BO).status_code == 201
    assert Case.objects.count() == 2


def test_what_is_said_the_second_time_is_added(elsa: Caller, bo: Caller) -> None:
    report(elsa, "profile", BO, text="Han är dum.")
    bo.put("/api/profile", {"bio": "Fult ord"})
    report(elsa, "profile", BO, reason="threat", text="Nu hotar han.")
    first, added = Report.objects.order_by("created_at")
    assert (added.added_to, added.case, added.reporter) == (first, first.case, account(ELSA))
    assert (first.reason, first.text, added.reason, added.text) == (
        ("bullying", "Han är dum.", "threat", "Nu hotar han.")
    )
    assert "Fult ord" not in first.evidence
    assert "Fult ord" in added.evidence


def test_the_reporter_hears_once_that_it_was_closed(elsa: Caller, bo: Caller) -> None:
    made = report(elsa, "profile", BO).json()["report"]
    report(elsa, "profile", BO)
    close(Case.objects.get())
    (told,) = elsa.get("/api/notifications").json()["notifications"]
    assert told["data"] == {"reportId": made["id"]}


def test_adding_to_a_report_is_limited(elsa: Caller, bo: Caller, settings: Settings) -> None:
    settings.LIMITS = {"reports": "2/3600"}
    assert [report(elsa, "profile", BO).status_code for _ in range(3)] == [201, 200, 429]
    assert Report.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_four_at_once_are_one(elsa: Caller) -> None:
    signed_in(BO)
    answers = at_once([partial(report, elsa.twin(), "profile", BO) for _ in range(4)])
    assert sorted(one.status_code for one in answers) == [200, 200, 200, 201]
    assert len({one.json()["report"]["id"] for one in answers}) == 1
    assert Report.objects.filter(added_to=None).count() == 1
    assert Report.objects.count() == 4  # nothing that was said is lost


@pytest.mark.django_db(transaction=True)
def test_four_people_at_once_make_one_case(elsa: Caller) -> None:
    callers = [elsa, *(signed_in(name) for name in (ALVA, "ömer.sjölin", "torbjörn.ekvik"))]
    signed_in(BO)
    answers = at_once([partial(report, each, "profile", BO) for each in callers])
    assert [one.status_code for one in answers] == [201] * 4
    assert Case.objects.get().reports.count() == 4


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


WRONG: dict[str, list[Any]] = {
    "type": ["school", None],
    "id": ["", 17, "a" * 301],
    "reason": ["ugly"],
    "text": ["a" * 1001, 5],
    "disclosed": ["a" * 8193],
    "username": ["bo.ek", 5, "a" * 301],
}


def test_a_body_of_the_wrong_shape_is_400(elsa: Caller, bo: Caller) -> None:
    for field, values in WRONG.items():
        for value in values:
            body = {"type": "profile", "id": BO, "reason": "spam", field: value}
            refused = elsa.post(PATH, body)
            assert code_of(refused) == (400, "invalid_input"), body
            assert refused.json()["fields"].keys() == {field}
    assert report(elsa, "profile", BO, text="a" * 1000).status_code == 201


def test_reports_are_limited(elsa: Caller, bo: Caller, settings: Settings) -> None:
    settings.LIMITS = {"reports": "2/86400"}
    statuses = [report(elsa, "profile", name).status_code for name in ("x.y", BO, BO)]
    assert statuses == [404, 201, 429]


def test_a_report_of_a_group_can_name_a_member(elsa: Caller, bo: Caller) -> None:
    signed_in(ALVA)
    group = group_of(BO, ELSA)
    for stranger in (ALVA, "nobody.here"):
        assert code_of(report(elsa, "group", group.pk.hex, username=stranger)) == NOT_FOUND
    assert report(elsa, "group", group.pk.hex, username="Bo.Ek").status_code == 201
    kept = Report.objects.get()
    assert (kept.suggested, kept.case.person) == (BO, None)


def test_a_member_is_named_in_either_form_of_their_accents(elsa: Caller, bo: Caller) -> None:
    signed_in("torbjörn.ekvik")
    group = group_of(ELSA, "torbjörn.ekvik")
    name = unicodedata.normalize("NFD", "Torbjörn.Ekvik")
    assert report(elsa, "group", group.pk.hex, username=name).status_code == 201
    assert Report.objects.get().suggested == "torbjörn.ekvik"


def test_who_is_invited_to_a_group_can_report_it(elsa: Caller, bo: Caller) -> None:
    alva = signed_in(ALVA)
    group = group_of(BO, ELSA)
    assert code_of(report(alva, "group", group.pk.hex)) == NOT_FOUND
    invite = Invite.objects.create(
        conversation=group, invited=account(ALVA), invited_by=account(BO)
    )
    block(elsa, ALVA)
    # A report does not tell whether somebody beyond a block is a member.
    assert code_of(report(alva, "group", group.pk.hex, username=ELSA)) == NOT_FOUND
    assert report(alva, "group", group.pk.hex, username=BO).status_code == 201
    Invite.objects.filter(pk=invite.pk).update(status="declined")
    assert code_of(report(alva, "group", group.pk.hex)) == NOT_FOUND


def test_the_reporter_hears_whether_something_was_done(
    elsa: Caller, bo: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = report(elsa, "profile", BO).json()["report"]
    second = report(elsa, "profile", ELSA, reason="spam").json()["report"]
    report(bo, "profile", ELSA)
    assert elsa.get(PATH).json() == {"success": True, "reports": [second, first]}
    close(Case.objects.get(person=account(BO)))
    closed = first | {"status": "closed", "outcome": "no_action"}
    account_id = account(ELSA).pk
    with django_assert_num_queries(1):
        assert own_reports(account_id) == [second, closed]


def test_what_a_report_says_is_encrypted(elsa: Caller, bo: Caller) -> None:
    bo.put("/api/profile", {"bio": "Fult ord"})
    report(elsa, "profile", BO, text="Han är dum.")
    found = columns_and_keys_with("Han är dum", "Fult ord", BO)
    assert "accounts.Profile.bio" in found
    assert [column for column in found if column.startswith("social.")] == []
    assert "Fult ord" in Report.objects.get().evidence


def test_an_erased_reporters_name_is_in_no_report(elsa: Caller, bo: Caller) -> None:
    report(elsa, "profile", BO)
    Account.objects.get(username=ELSA).delete()
    assert Report.objects.get().reporter is None
