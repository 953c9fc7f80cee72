"""Fields of request bodies that are stricter than DRF's."""

from typing import Any

from django.core.validators import RegexValidator
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

# C0, DEL, C1, line and paragraph separators, and the marks that turn the direction of text.
UNPRINTABLE = r"\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069"
_LINE = RegexValidator(rf"\A[^{UNPRINTABLE}]*\Z", "This must be one line of plain text.")


class TextField(serializers.CharField):
    """A JSON string; DRF's `CharField` also takes numbers."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class LineField(TextField):
    """One line without control characters and without marks that change the direction of text."""

    default_validators = [_LINE]  # noqa: RUF012 - DRF reads this attribute


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "integer"}]})
class TextOrNumberField(TextField):
    """An id of upstream's, as a string or as a number."""

    def to_internal_value(self, data: Any) -> str:
        is_number = isinstance(data, int) and not isinstance(data, bool)
        return super().to_internal_value(str(data) if is_number else data)


class TrueOrFalseField(serializers.BooleanField):
    """A JSON boolean; DRF's `BooleanField` also takes "yes", 1 and "off"."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class WholeNumberField(serializers.IntegerField):
    """A JSON integer; DRF's `IntegerField` also takes strings and 3.0."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)
