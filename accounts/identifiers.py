"""Public ids: random, opaque, without dashes. They tell neither age nor number."""

from uuid import UUID, uuid4

new_id = uuid4


class PublicId:
    """A path converter: 32 hexadecimal digits, lower case. Anything else is no route."""

    regex = "[0-9a-f]{32}"

    def to_python(self, value: str) -> UUID:
        return UUID(hex=value)

    def to_url(self, value: UUID) -> str:
        return value.hex


def read_id(text: object) -> UUID | None:
    """The id that a body or a query names; None for whatever cannot be one."""
    if isinstance(text, str) and len(text) == 32 and text.isascii() and text.isalnum():
        try:
            return UUID(hex=text)
        except ValueError:
            return None
    return None
