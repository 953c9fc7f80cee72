"""The cursor of a list whose items come and go at the school while somebody reads it.

It has the place where the next page begins, and the last ids of the page before: what arrives or
disappears meanwhile makes nothing else appear twice or not at all.
"""

import re
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter

from accounts.errors import InvalidInput

# So many ids are in a cursor.
OVERLAP: Final = 5
CURSOR: Final = OpenApiParameter("cursor", str, description="`next` of the page before.")
_CURSOR: Final = re.compile(rf"(\d{{1,6}})((?:-\d{{1,19}}){{1,{OVERLAP}}})", re.ASCII)


def cursor_of(place: int, ids: Sequence[str]) -> str:
    """The cursor of the page that begins at this place, after items with these ids."""
    return "-".join([str(place), *ids[-OVERLAP:]])


def read_cursor(cursor: str) -> tuple[int, list[str]]:
    """The place and the ids. Raises: InvalidInput."""
    if not cursor:
        return 0, []
    match = _CURSOR.fullmatch(cursor)
    if match is None:
        raise InvalidInput({"cursor": [_("Give the cursor of the page before.")]})
    return int(match[1]), match[2].split("-")[1:]
