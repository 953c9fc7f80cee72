"""What a report about a note names: the token of its link, or the id of a note of one's own."""

from typing import Any

from accounts.identifiers import read_id
from notes.services.notes import note_of
from notes.services.share_links import note_behind


def note_target(account_id: int, target_id: str) -> dict[str, Any]:
    """The note that the account can see under this token or id, by its id; `subject` wrote it.

    Raises: NotThere.
    """
    note_id = read_id(target_id)
    note = note_of(account_id, note_id) if note_id else note_behind(target_id)
    return {"target_id": note.pk.hex, "subject": note.account_id}
