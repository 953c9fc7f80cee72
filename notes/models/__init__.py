from notes.models.countdowns import Countdown
from notes.models.layouts import Layout
from notes.models.notes import Note
from notes.models.share_links import ShareLink

__all__ = ["Countdown", "Layout", "Note", "ShareLink"]
