"""The child that a guardian's request names: `child=` and `org=` of the query."""

import re

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter

from accounts.errors import InvalidInput
from schoolproxy.reads import ChildChoice

_NUMBER = re.compile(r"[1-9][0-9]{0,18}")
_KIND = {"type": "string", "pattern": "^[1-9][0-9]{0,18}$"}

CHILD = OpenApiParameter(
    "child",
    _KIND,
    description="A guardian's child.",
)
ORG = OpenApiParameter(
    "org",
    _KIND,
    description="One of its schools.",
)


def read_choice(query: QueryDict) -> ChildChoice:
    """Raises: InvalidInput for what cannot be upstream's number."""
    return ChildChoice(_number(query, "child"), _number(query, "org"))


def _number(query: QueryDict, name: str) -> int | None:
    text = query.get(name)
    if text is None:
        return None
    if not _NUMBER.fullmatch(text) or int(text) >= 2**63:
        raise InvalidInput({name: [_("Give an id from /api/children.")]})
    return int(text)
