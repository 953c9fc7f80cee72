"""The personal data of this app."""

from collections.abc import Iterator

from accounts.personal_data import Document, PersonalData, Table, with_api_names
from notes.models import Countdown, Layout, Note
from notes.services.notes import erase_notes

TABLES = [
    Table(
        model="notes.Note",
        purpose="what the person has written",
        retention="until the person deletes it",
        erasure="deleted",
        personal=["title", "content", "status", "version", "created_at", "updated_at"],
        withheld={
            "document": "the content again, as validated",
            "excerpt": "the start of the content again",
            "search_key": "title and text again, in the form that search compares",
            "taken_down_at": "a decision of staff; the person is told when sharing it",
        },
        technical=["id", "account", "is_document", "size"],
    ),
    Table(
        model="notes.ShareLink",
        purpose="showing a note to everybody who has the address",
        retention="until it is revoked or the note is archived",
        erasure="deleted; the page is 404 at once",
        personal=["created_at"],
        withheld={
            "address": "the token of the address; encrypted, and shown with the note",
            "address_hash": "for look-up; a keyed hash",
        },
        technical=["note", "opened"],
    ),
    Table(
        model="notes.EndedLink",
        purpose="reporting what a link had shown before it was ended (see `accounts.KeptText`)",
        retention="14 days after it was ended",
        erasure="stays, without a link to the account",
        withheld={
            "address_hash": "for look-up; a keyed hash",
            "ended_at": "in the export of what is kept of the note",
        },
        technical=["note_id"],
    ),
    Table(
        model="notes.Countdown",
        purpose="a date that the person counts down to",
        retention="until the person deletes it",
        erasure="deleted",
        personal=[
            "title",
            "description",
            "target_at",
            "category",
            "theme",
            "emoji",
            "pinned",
            "archived",
            "created_at",
            "updated_at",
        ],
        technical=["id", "account"],
    ),
    Table(
        model="notes.Layout",
        purpose="how the person arranged the dashboard",
        retention="until it is replaced",
        erasure="deleted",
        personal=["widgets", "updated_at"],
        technical=["account"],
    ),
]
_NOTE, _LINK, _ENDED_LINK, _COUNTDOWN, _LAYOUT = TABLES


def export(account_id: int) -> Iterator[Document]:
    for pk in list(Note.objects.filter(account_id=account_id).values_list("pk", flat=True)):
        # One at a time: each may have a megabyte.
        for note in Note.objects.filter(pk=pk).select_related("share_link"):
            link = getattr(note, "share_link", None)
            shared = {"sharedSince": link.created_at if link else None}
            columns = {name: getattr(note, name) for name in _NOTE.personal}
            yield f"notes/{note.pk.hex}.json", with_api_names(columns) | shared
    countdowns = Countdown.objects.filter(account_id=account_id).order_by("created_at")
    yield "countdowns.json", list(map(with_api_names, countdowns.values(*_COUNTDOWN.personal)))
    layouts = Layout.objects.filter(account_id=account_id)
    yield "layout.json", list(map(with_api_names, layouts.values(*_LAYOUT.personal)))


def erase(account_id: int) -> None:
    erase_notes(account_id)
    for model in (Countdown, Layout):
        model.objects.filter(account_id=account_id).delete()


PERSONAL_DATA = PersonalData(TABLES, export, erase)
