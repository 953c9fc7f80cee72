"""Texts in the query of a request."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from accounts.errors import InvalidInput


def text_in_query(request: Request, name: str) -> str:
    """The text of this name in the query. Raises: InvalidInput without it, and for NUL in it."""
    text: str = request.query_params.get(name, "")
    if not text:
        raise InvalidInput({name: [_("This field is required.")]})
    refuse_nul({name: text})
    return text


def refuse_nul(query: Mapping[str, str]) -> None:
    """Raises: InvalidInput for texts with NUL, as of a body."""
    fields = {
        name: [_("Null characters are not allowed.")]
        for name, text in query.items()
        if "\0" in text
    }
    if fields:
        raise InvalidInput(fields)
