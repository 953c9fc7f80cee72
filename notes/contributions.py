"""What this app does for the others: see `accounts.registry`."""

from accounts.contribution_types import Contributions, ShareCardKind
from limits import limits_in
from notes import limits
from notes.api.cards import NoteCardSerializer
from notes.data_map import PERSONAL_DATA
from notes.services.cards import build_note_card
from notes.services.kept_notes import purge_ended_links
from notes.services.report_kinds import NOTE_REPORTS

CONTRIBUTIONS = Contributions(
    personal_data=PERSONAL_DATA,
    report_kinds=[NOTE_REPORTS],
    share_cards=[ShareCardKind("note", "noteId", build_note_card, NoteCardSerializer)],
    rate_limits=limits_in(limits),
    purges=[purge_ended_links],
    staff_permissions={"moderator": ["notes.view_sharelink", "notes.view_countdown"]},
)
