"""The numbers of this app that bound what one account keeps."""

MAX_COUNTDOWNS = 500
MAX_WIDGETS = 40

MAX_NOTES = 2_000
# A note's body: its document may be nested as deep as this, counted in objects and lists.
NOTE_BODY_BYTES = 1024 * 1024
DOCUMENT_DEPTH = 96
DOCUMENT_NODES = 20_000
MAX_TITLE = 200
EXCERPT_LENGTH = 220
MAX_LINK = 2_048
# A page of notes ends before its contents pass this, whatever was asked for.
PAGE_NOTES = 100
MAX_PAGE_NOTES = 200
PAGE_CHARACTERS = 2 * 1024 * 1024
# What a share card shows of a title.
CARD_TITLE_LENGTH = 120
# 256 random bits, as text.
SHARE_TOKEN_BYTES = 32
# What staff see of a reported note.
EVIDENCE_LENGTH = 20_000
