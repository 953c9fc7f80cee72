"""What this app keeps of a person."""

from collections.abc import Iterator

from accounts.personal_data import Document, PersonalData, Table
from notes.models import Countdown, Layout, Note

TABLES = [
    Table(
        model="notes.Note",
        purpose="what the person wrote down",
        retention="until the person deletes it",
        erasure="deleted",
        personal=["title", "content", "status", "version", "created_at", "updated_at"],
        withheld={
            "document": "the content once more, as it was let in",
            "excerpt": "the beginning of the content once more",
        },
        technical=["id", "account", "is_document"],
    ),
    Table(
        model="notes.ShareLink",
        purpose="showing a note to whoever has its address",
        retention="until it is revoked, or the note archived",
        erasure="deleted; the page is gone at once",
        personal=["created_at"],
        withheld={
            "address": "the key in the address; encrypted, and shown with the note",
            "address_hash": "finds the link; says nothing without our key",
        },
        technical=["note"],
    ),
    Table(
        model="notes.Countdown",
        purpose="a day that the person waits for",
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
_NOTE, _LINK, _COUNTDOWN, _LAYOUT = TABLES


def export(account_id: int) -> Iterator[Document]:
    """Notes one file each, countdowns, the layout."""
    for note in Note.objects.filter(account_id=account_id).select_related("share_link"):
        link = getattr(note, "share_link", None)
        shared = {"sharedSince": link.created_at if link else None}
        columns = {name: getattr(note, name) for name in _NOTE.personal}
        yield f"notes/{note.pk.hex}.json", columns | shared
    countdowns = Countdown.objects.filter(account_id=account_id).order_by("created_at")
    yield "countdowns.json", list(countdowns.values(*_COUNTDOWN.personal))
    layouts = Layout.objects.filter(account_id=account_id)
    yield "layout.json", list(layouts.values(*_LAYOUT.personal))


def erase(account_id: int) -> None:
    """All of it."""
    for model in (Note, Countdown, Layout):
        model.objects.filter(account_id=account_id).delete()


PERSONAL_DATA = PersonalData(TABLES, export, erase)
