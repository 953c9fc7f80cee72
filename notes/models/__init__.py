"""The records of this app: what a person owns here besides talk."""

from notes.models.countdowns import Countdown
from notes.models.layouts import Layout
from notes.models.notes import Note
from notes.models.share_links import ShareLink

__all__ = ["Countdown", "Layout", "Note", "ShareLink"]
