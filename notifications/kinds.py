"""The kinds of notifications, by the names of the API."""

from typing import Final

KINDS: Final = (
    "message",
    "reply",
    "invite",
    "friend",
    "schedule",
    "assignment",
    "result",
    "news",
    "report",
    "account",
    "test",
)
# What can happen to a lesson.
LESSON_CHANGES: Final = ("cancelled", "added", "moved", "room", "teacher")
# Those that the watch of the school finds.
WATCHED_KINDS: Final = ("schedule", "assignment", "result", "news")
