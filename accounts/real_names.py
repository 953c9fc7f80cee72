"""The school's names of people, and when they are shown beside a display name."""

from accounts.invisible_characters import is_blank, without_invisible
from accounts.name_comparison import name_key

NAME_LENGTH = 80
# Of the two names in a text: it has the length of a push's title, and the real name is in it.
_SHOWN_IN_TEXT = 30
_REAL_IN_TEXT = 46


def full_name(first_name: str, last_name: str) -> str:
    """A person's name at school, as long as a display name may be; empty if nothing of it can be
    seen."""
    name = without_invisible(f"{first_name} {last_name}").strip()[:NAME_LENGTH].strip()
    return "" if is_blank(name) else name


def real_name_beside(name: str, real_name: str) -> str | None:
    """The real name, for a client that shows this name; None if the two look the same, or
    the school gives no name."""
    if not real_name or name == real_name or name_key(name) == name_key(real_name):
        return None
    return real_name


def name_in_text(name: str, other_real_name: str | None) -> str:
    """How a text, such as a notification, names a person: "Bosse (Bo Ek)", where the real name is
    another one. Both are cut if they are long."""
    if other_real_name is None:
        return name
    return f"{_cut(name, _SHOWN_IN_TEXT)} ({_cut(other_real_name, _REAL_IN_TEXT)})"


def _cut(name: str, length: int) -> str:
    return name if len(name) <= length else f"{name[: length - 1].rstrip()}…"
