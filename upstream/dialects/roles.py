"""Upstream's names for the three roles."""

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
    """The role of a user type's name; None for an unknown name."""
    return _NAMES.get(name.strip().casefold())
