"""Public ids: random UUIDs (version 4), written without dashes. They reveal neither the age nor the
number of rows."""

from uuid import UUID

from accounts.errors import NotFound


class PublicId:
    """A path converter for 32 lower-case hexadecimal digits."""

    regex = "[0-9a-f]{32}"

    def to_python(self, value: str) -> UUID:
        return UUID(hex=value)

    def to_url(self, value: UUID) -> str:
        return value.hex


def read_id(text: object) -> UUID | None:
    """The id in a value from a body or a query; None if it is not one."""
    if isinstance(text, str) and len(text) == 32 and text.isascii() and text.isalnum():
        try:
            return UUID(hex=text)
        except ValueError:
            return None
    return None


def require_id(text: object) -> UUID:
    """As `read_id`. Raises: NotFound, as for an id that nothing has."""
    identifier = read_id(text)
    if identifier is None:
        raise NotFound
    return identifier
