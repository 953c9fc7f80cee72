"""How a request names the size of a page."""

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from accounts.errors import InvalidInput


def limit_parameter(*, default: int, most: int) -> OpenApiParameter:
    shape = {"type": "integer", "minimum": 1, "maximum": most, "default": default}
    return OpenApiParameter("limit", shape)


def read_limit(request: Request, *, default: int, most: int) -> int:
    """`limit` of the query, from 1 to `most`. Raises: InvalidInput."""
    text = request.query_params.get("limit")
    if text is None:
        return default
    if text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most:
        return int(text)
    raise InvalidInput({"limit": [_("Give a number from 1 to %(most)d.") % {"most": most}]})
