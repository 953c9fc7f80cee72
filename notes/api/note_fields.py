"""What the body of a note may hold."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from notes.models import Note
from notes.richtext.schema import MARKS, NODES
from notes.richtext.validate import Content, read_content

CONTENT: Final = (
    'A document (an object, or a string that parses to `{"type": "doc", ...}`), or plain text. '
    f"Nodes: {', '.join(NODES)}. Marks: {', '.join(MARKS)}. Links lead to http, https or mailto."
)
STATUSES: Final = (Note.DRAFT, Note.PUBLISHED, Note.ARCHIVED)


@extend_schema_field(
    {
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "required": ["type"],
                "properties": {
                    "type": {"type": "string", "enum": ["doc"]},
                    "content": {"type": ["array", "null"], "items": {"type": "object"}},
                },
            },
        ]
    }
)
class ContentField(serializers.Field[Any, Any, Any, Any]):
    """A document or plain text."""

    def to_internal_value(self, data: Any) -> Content:
        """What is kept of it. Raises: InvalidDocument."""
        return read_content(data)

    def to_representation(self, value: Any) -> Any:
        """Never asked: notes are written by `note_view.py`."""
        return value


@extend_schema_field(
    {"type": ["object", "null"], "description": "The validated document; null for plain text."}
)
class DocumentField(serializers.JSONField):
    """A document in an answer."""


class StatusField(serializers.ChoiceField):
    """One of three words."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(STATUSES, **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


class VersionField(serializers.IntegerField):
    """A whole number that came as one."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=2**63 - 1, **kwargs)

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return data
