"""Notes on share cards and in reports."""

from uuid import uuid4

from accounts.models import Account
from accounts.services.suspension import suspend_account
from social.models import Case
from tests.conftest import Caller
from tests.notes.documents import RICH
from tests.notes.notes import added, changed, shared
from tests.social_actions import dm_of, report


def test_a_card_shows_the_beginning_of_a_note(elsa: Caller) -> None:
    Caller().sign_in("bo.ek")
    note = added(elsa, title="å" * 200, content=RICH)
    messages = f"/api/conversations/{dm_of(elsa, 'bo.ek')}/messages"
    answer = elsa.post(messages, {"shareCard": {"type": "note", "noteId": note["id"]}})
    card = answer.json()["message"]["shareCard"]
    assert (card["title"], card["preview"]) == ("å" * 119 + "…", note["excerpt"])
    assert " ".join(card["fullContent"].split()).startswith(note["excerpt"][:100])
    assert len(note["excerpt"]) <= 220


def test_a_note_is_reported_by_its_link_and_by_its_owner(elsa: Caller, zoe: Caller) -> None:
    note = added(elsa)
    report(zoe, "note", shared(elsa, note))
    report(elsa, "note", note["id"])
    assert Case.objects.get().target_id == note["id"]


def test_a_note_that_the_reporter_cannot_see_cannot_be_reported(elsa: Caller, zoe: Caller) -> None:
    note, archived = added(elsa), added(elsa)
    token, dead = shared(elsa, note), shared(elsa, archived)
    changed(elsa, archived, status="archived")

    def status(target: str) -> int:
        body = {"type": "note", "id": target, "reason": "spam", "text": ""}
        return int(zoe.post("/api/reports", body).status_code)

    for target in (note["id"], uuid4().hex, dead, f"{token}x"):
        assert status(target) == 404
    suspend_account(Account.objects.get(school="bjorkdalen").pk)
    assert status(token) == 404
