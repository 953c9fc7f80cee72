"""What this app does for the others: see `accounts.registry`."""

from accounts.registry import Contributions, ShareCardKind
from notes.data_map import PERSONAL_DATA
from notes.services.cards import build_note_card
from notes.services.moderation import NOTE_REPORTS

CONTRIBUTIONS = Contributions(
    personal_data=PERSONAL_DATA,
    report_kinds=[NOTE_REPORTS],
    share_cards=[ShareCardKind("note", "noteId", build_note_card)],
    staff_permissions={"moderator": ["view_sharelink", "view_countdown"]},
)
