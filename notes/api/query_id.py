"""The `?id=` of the aliases that take the id in the query instead of the path."""

from typing import Final
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter

from accounts.errors import InvalidInput
from accounts.identifiers import require_id
from accounts.requests import SignedInRequest

ID: Final = OpenApiParameter("id", {"type": "string", "pattern": "^[0-9a-f]{32}$"}, required=True)


def id_in_query(request: SignedInRequest) -> UUID:
    """Raises: InvalidInput without an id, NotFound for a malformed one."""
    text = request.query_params.get("id")
    if not text:
        raise InvalidInput({"id": [_("This field is required.")]})
    return require_id(text)
