"""Public names, as they are made from upstream's user names."""

import re

from accounts.invisible_characters import is_blank, without_invisible
from accounts.name_comparison import normalize_username

# With the school and numbers after it, a name fits into its column.
_LENGTH = 200
# They would end a part of a URL, or of the list of names in a query.
_NOT_IN_ADDRESSES = re.compile(r"[/\\?#%,]")
# `/api/profile/picture` is another route.
TAKEN_BY_ROUTES = {"picture"}


def public_form(user_name: str) -> str:
    """The public name that belongs to a user name, if nobody else has it: in lower case, without
    invisible characters, and with a hyphen for each character that an address cannot hold.

    Empty when nothing is left, or only dots.
    """
    name = _NOT_IN_ADDRESSES.sub("-", normalize_username(without_invisible(user_name)))
    name = " ".join(name.split())[:_LENGTH].strip()
    return "" if is_blank(name.replace(".", "")) else name
