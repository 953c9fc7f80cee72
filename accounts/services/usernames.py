"""Public names, which are made from upstream's user names: which ones an account may get."""

import re
from collections.abc import Iterator

from accounts.errors import SchoolUnknown
from accounts.invisible_characters import is_blank, without_invisible
from accounts.name_comparison import name_key, normalize_username
from accounts.services.schools import known_school
from upstream.records import UpstreamSession

# With the school and numbers after it, a name fits into its column.
_LENGTH = 200
# They would end a part of a URL, or of the list of names in a query.
_NOT_IN_ADDRESSES = re.compile(r"[/\\?#%,]")
# `/api/profile/picture` is another route.
TAKEN_BY_ROUTES = {"picture"}


class NameRetired(Exception):
    """An erased account had this name."""


def public_form(user_name: str) -> str:
    """The public name that belongs to a user name, if nobody else has it: in lower case, without
    invisible characters, and with a hyphen for each character that an address cannot hold.

    Empty when nothing is left, or only dots.
    """
    name = _NOT_IN_ADDRESSES.sub("-", normalize_username(without_invisible(user_name)))
    name = " ".join(name.split())[:_LENGTH].strip()
    return "" if is_blank(name.replace(".", "")) else name


def usernames(school: str, answer: UpstreamSession) -> Iterator[str]:
    """Candidates for the public name of the person whom `answer` names, best first."""
    name = public_form(answer.user_name) or f"user-{answer.user_id}"
    if name not in TAKEN_BY_ROUTES and not _names_another_school(name, school):
        yield name
    numbered = f"{name}@{school}-{answer.user_id}"
    yield from (f"{name}@{school}", numbered)
    yield from (f"{numbered}-{number}" for number in range(2, 100))


def _names_another_school(name: str, school: str) -> bool:
    """Whether a name has another school's slug after an @, as written or with a number after it:
    it belongs to a person of that school, who may not have signed in yet."""
    for part in name_key(name).split("@")[1:]:
        words = part.rstrip(" .'").split("-")
        slugs = {"-".join(words[:count]) for count in range(1, len(words) + 1)}
        if any(_is_school(slug) for slug in slugs - {school}):
            return True
    return False


def _is_school(slug: str) -> bool:
    try:
        known_school(slug)
    except SchoolUnknown:
        return False
    return True
