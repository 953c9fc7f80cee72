"""The `?id=` of the aliases that take the id in the query instead of the path."""

from typing import Final
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter

from accounts.api.queries import text_in_query
from accounts.identifiers import require_id
from accounts.requests import SignedInRequest

ID: Final = OpenApiParameter("id", {"type": "string", "pattern": "^[0-9a-f]{32}$"}, required=True)


def id_in_query(request: SignedInRequest) -> UUID:
    """Raises: InvalidInput without an id, NotFound for a malformed one."""
    return require_id(text_in_query(request, "id"))
