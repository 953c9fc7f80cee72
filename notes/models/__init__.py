from notes.models.countdowns import Countdown
from notes.models.layouts import Layout
from notes.models.notes import Note
from notes.models.share_links import EndedLink, ShareLink

__all__ = ["Countdown", "EndedLink", "Layout", "Note", "ShareLink"]
