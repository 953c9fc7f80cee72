"""The words that upstream has for its three kinds of people."""

from typing import Final

from upstream.records import Role

_NAMES: Final[dict[str, Role]] = {
    "student": "student",
    "elev": "student",
    "teacher": "teacher",
    "staff": "teacher",
    "lärare": "teacher",
    "personal": "teacher",
    "guardian": "guardian",
    "parent": "guardian",
    "vårdnadshavare": "guardian",
}


def role_of_name(name: str) -> Role | None:
    """The role that a user type's name stands for; None for an unknown word."""
    return _NAMES.get(name.strip().casefold())
