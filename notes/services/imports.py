"""Notes and countdowns of an import, under the rules of the API. The accounts are locked."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from accounts.errors import TooManyKept
from accounts.import_types import ImportRefused, ImportRow
from notes.errors import QuotaExceeded
from notes.models import Countdown
from notes.services.countdowns import add_countdown
from notes.services.notes import insert_note


def save_notes(rows: Sequence[ImportRow]) -> None:
    for row in rows:
        owner, times, fields = _split(row)
        try:
            insert_note(account_id=owner, fields=fields, **times)
        except TooManyKept:
            row.refused = ImportRefused("The person has as many notes as one may have.")
        except QuotaExceeded:
            row.refused = ImportRefused("All notes of the person together would be too large.")
        else:
            row.target = ""


def save_countdowns(rows: Sequence[ImportRow]) -> None:
    for row in rows:
        owner, times, fields = _split(row)
        try:
            countdown = add_countdown(account_id=owner, fields=fields)
        except TooManyKept:
            row.refused = ImportRefused("The person has as many countdowns as one may have.")
        else:
            # The columns set themselves when a row is saved.
            Countdown.objects.filter(pk=countdown.pk).update(**times)
            row.target = ""


def _split(row: ImportRow) -> tuple[int, dict[str, datetime], dict[str, Any]]:
    """Whose it is, when it was made and changed, and the rest of its fields."""
    fields = dict(row.fields)
    owner = row.person(fields.pop("owner"))
    created_at = fields.pop("createdAt")
    times = {"created_at": created_at, "updated_at": fields.pop("updatedAt", created_at)}
    return owner, times, fields
