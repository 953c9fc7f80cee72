"""Notes on share cards and in reports."""

from typing import Any
from uuid import uuid4

import pytest

from accounts.callers import Caller as SignedIn
from accounts.contribution_types import ReportTarget
from accounts.errors import NotFound
from accounts.models import Account
from accounts.services.suspension import suspend_account
from notes.services.cards import build_note_card
from notes.services.report_kinds import find_note
from tests.conftest import Caller
from tests.notes.documents import RICH
from tests.notes.notes import PATH, added, changed, shared
from upstream.records import UpstreamSession, WebSession


def signed_in(school: str) -> SignedIn:
    """The caller of a view: the account at this school."""
    account = Account.objects.get(school=school)
    upstream: Any = UpstreamSession.__new__(UpstreamSession)
    return SignedIn(
        account_id=account.pk,
        username=account.username,
        session_id=None,
        session_key="",
        via="cookie",
        credential_hash="",
        school=school,
        web=WebSession(jsessionid="x", hash="x", usertype=None),
        upstream=upstream,
    )


def test_a_card_shows_the_beginning_of_a_note(elsa: Caller) -> None:
    note = added(elsa, title="å" * 200, content=RICH)
    card = build_note_card(signed_in("bjorkdalen"), note["id"])
    assert card.pop("sharedAt") >= note["createdAt"]
    assert card == {
        "type": "note",
        "noteId": note["id"],
        "title": "å" * 119 + "…",
        "preview": note["excerpt"],
        "fullContent": card["fullContent"],
        "status": "draft",
    }
    assert " ".join(card["fullContent"].split()).startswith(note["excerpt"][:100])
    assert len(note["excerpt"]) <= 220


def test_a_card_needs_a_note_of_the_callers_own(elsa: Caller, zoe: Caller) -> None:
    note = added(elsa)
    shared(elsa, note)
    for note_id in (note["id"], uuid4().hex, "x", "", "5"):
        with pytest.raises(NotFound):
            build_note_card(signed_in("nyvang"), note_id)
    with pytest.raises(NotFound):
        build_note_card(signed_in("bjorkdalen"), "")


def test_a_note_can_be_reported_by_its_link(elsa: Caller, zoe: Caller) -> None:
    note = added(elsa)
    token = shared(elsa, note)
    author = Account.objects.get(school="bjorkdalen").pk
    reader = Account.objects.get(school="nyvang").pk
    seen = ReportTarget(note["id"], author)
    assert find_note(reader, token) == seen
    assert find_note(author, note["id"]) == seen


def test_a_note_that_the_reporter_cannot_see_cannot_be_reported(elsa: Caller, zoe: Caller) -> None:
    note, archived = added(elsa), added(elsa)
    token, dead = shared(elsa, note), shared(elsa, archived)
    changed(elsa, archived, status="archived")
    reader = Account.objects.get(school="nyvang").pk
    for target in (note["id"], uuid4().hex, dead, f"{token}x", "", "x" * 500):
        with pytest.raises(NotFound):
            find_note(reader, target)
    suspend_account(Account.objects.get(school="bjorkdalen").pk)
    with pytest.raises(NotFound):
        find_note(reader, token)


def test_reporting_a_shared_note_over_http(elsa: Caller, zoe: Caller) -> None:
    token = shared(elsa, added(elsa))
    body = {"type": "note", "id": token, "reason": "spam", "text": ""}
    assert zoe.post("/api/reports", body).status_code == 201
    elsa.delete(f"{PATH}?id={added(elsa)['id']}")
    assert zoe.post("/api/reports", body | {"id": f"{token}x"}).status_code == 404
