"""Limits on what an account stores here, and on what is shown of it."""

from limits import RateLimit

# Shared notes, by address, so that nobody guesses an address quickly.
SHARE_READS = RateLimit("share_reads", 60, 60, fails_open=False)

MAX_COUNTDOWNS = 500
MAX_WIDGETS = 40

MAX_NOTES = 2_000
# All notes of an account together.
MAX_NOTES_BYTES = 50 * 1024 * 1024
# What is kept for a report of the notes of an account, in fourteen days: texts that were read by a
# link and are not there any more. About ten of the longest notes, and of usual ones thousands.
KEPT_CHARACTERS = 10 * 1024 * 1024
NOTE_BODY_BYTES = 1024 * 1024
# Objects and lists within each other, and nodes, in a document.
DOCUMENT_DEPTH = 96
DOCUMENT_NODES = 20_000
MAX_TITLE = 200
# A note whose text is searched for the place to show.
SHORT_NOTE_BYTES = 20_000
EXCERPT_LENGTH = 220
MAX_LINK = 2_048
PAGE_NOTES = 100
MAX_PAGE_NOTES = 200
# A page ends before its notes are longer than this in total.
PAGE_CHARACTERS = 2 * 1024 * 1024
# The title and the text on a share card.
CARD_TITLE_LENGTH = 120
CARD_TEXT_LENGTH = 10_000
SHARE_TOKEN_BYTES = 32
