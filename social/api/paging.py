"""What a query says about a page."""

from rest_framework.request import Request

from accounts.errors import InvalidInput


def read_limit(request: Request, *, default: int, most: int) -> int:
    """How many are asked for, from 1 to `most`. Raises: InvalidInput."""
    text = request.query_params.get("limit")
    if text is None:
        return default
    if text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most:
        return int(text)
    raise InvalidInput({"limit": [f"Give a number from 1 to {most}."]})
