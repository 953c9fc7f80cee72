"""Notes and countdowns of an import, under the rules of the API."""

from pathlib import Path
from typing import Any

from accounts.models import Account
from notes.limits import MAX_COUNTDOWNS, MAX_NOTES
from notes.models import Countdown, Note
from tests.conftest import Caller
from tests.import_files import ELSA, ago, countdown, note, person, run
from tests.notes.documents import doc, nested, node, paragraph

DOCUMENT = doc(node("heading", {"type": "text", "text": "Prov"}, level=2), paragraph("på fredag"))
NOT_ALLOWED: dict[str, tuple[dict[str, Any], str]] = {
    "a title": ({"title": "x" * 201}, "title: Ensure this field has no more than 200 characters."),
    "no document": ({"content": 5}, "content: Give a document or a text."),
    "a script": ({"content": doc(node("script"))}, "content: doc.content[0]: "),
    "depth": ({"content": nested(60)}, "content: doc"),
    "a status": ({"status": "shared"}, 'status: "shared" is not a valid choice.'),
    "no time": ({"createdAt": None}, "createdAt: This field may not be null."),
    "the future": ({"updatedAt": ago(days=-1)}, "updatedAt: This is in the future."),
    "changed before": ({"updatedAt": 5}, "updatedAt: This is before `createdAt`."),
    "a version": ({"version": 3}, "version: There is no such field."),
}
NO_COUNTDOWN: dict[str, tuple[dict[str, Any], str]] = {
    "no title": ({"title": ""}, "title: This field may not be blank."),
    "no date": ({"targetDate": "soon"}, "targetDate: Give Unix milliseconds"),
    "another century": ({"targetDate": "2301-01-01"}, "targetDate: Give a date from the years"),
    "a theme": ({"theme": "neon"}, 'theme: "neon" is not a valid choice.'),
    "no emoji": ({"emoji": "xx"}, "emoji: Give one emoji."),
    "a word": ({"pinned": "yes"}, "pinned: Must be a valid boolean."),
}


def test_the_owner_has_them_after_signing_in(caller: Caller, tmp_path: Path) -> None:
    created, updated = ago(days=20), ago(days=2)
    times = {"createdAt": created, "updatedAt": updated}
    rich = note("n1", ELSA, content=DOCUMENT, status="published", **times)
    exam = {"category": "exam", "theme": "sky", "emoji": "📐", "pinned": True, "archived": True}
    row = countdown("d1", ELSA, description="Kapitel 4", targetDate=1809986400000, **exam, **times)
    done = run(tmp_path, person(ELSA), rich, note("n2", ELSA, title=""), row)
    assert (done.counts("note"), done.counts("countdown")) == ((2, 0, 0, 0), (1, 0, 0, 0))
    caller.sign_in()
    first, second = caller.get("/api/notes").json()["notes"]
    assert (first["doc"], first["status"], first["version"]) == (DOCUMENT, "published", 1)
    assert (first["createdAt"], first["updatedAt"]) == (created, updated)
    assert (second["title"], second["content"]) == ("Untitled", "Ljus blir socker.")
    (kept,) = caller.get("/api/countdowns").json()["countdowns"]
    assert (kept["createdAt"], kept["updatedAt"]) == (created, updated)
    assert (
        exam | {"targetDate": 1809986400000, "description": "Kapitel 4"}
    ).items() <= kept.items()


def test_what_is_not_allowed_is_refused_alone(caller: Caller, tmp_path: Path) -> None:
    notes = [note(name, ELSA, **fields) for name, (fields, _) in NOT_ALLOWED.items()]
    countdowns = [countdown(name, ELSA, **fields) for name, (fields, _) in NO_COUNTDOWN.items()]
    fine = (note("fine", ELSA), countdown("fine", ELSA))
    done = run(tmp_path, person(ELSA), *notes, *countdowns, *fine)
    expected = NOT_ALLOWED | NO_COUNTDOWN
    assert done.reasons.keys() == expected.keys()
    for name, (_, reason) in expected.items():
        assert done.reasons[name].startswith(reason), name
    assert (Note.objects.count(), Countdown.objects.count()) == (1, 1)


def test_nobody_gets_more_than_one_may_have(elsa: Caller, tmp_path: Path) -> None:
    account = Account.objects.get()
    now = account.created_at
    times = {"created_at": now, "updated_at": now}
    Note.objects.bulk_create(Note(account=account, **times) for _ in range(MAX_NOTES - 1))
    Countdown.objects.bulk_create(
        Countdown(account=account, title="x", target_at=now) for _ in range(MAX_COUNTDOWNS - 1)
    )
    rows = [note("n1", ELSA), note("n2", ELSA), countdown("d1", ELSA), countdown("d2", ELSA)]
    assert run(tmp_path, person(ELSA), *rows).reasons == {
        "n2": "The person has as many notes as one may have.",
        "d2": "The person has as many countdowns as one may have.",
    }


def test_nobody_gets_more_bytes_than_one_may_have(elsa: Caller, tmp_path: Path) -> None:
    account = Account.objects.get()
    now = account.created_at
    Note.objects.create(account=account, size=50 * 1024 * 1024, created_at=now, updated_at=now)
    reason = "All notes of the person together would be too large."
    assert run(tmp_path, person(ELSA), note("n1", ELSA)).reasons == {"n1": reason}
