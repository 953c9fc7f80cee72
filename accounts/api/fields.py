"""Field types of request bodies that DRF is too lenient about."""

from typing import Any

from django.core.validators import RegexValidator
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

# C0, DEL, C1, line and paragraph separators, and the marks that turn the direction of text.
UNPRINTABLE = r"\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069"
_LINE = RegexValidator(rf"\A[^{UNPRINTABLE}]*\Z", "This must be one line of plain text.")


class TextField(serializers.CharField):
    """Text that came as text: a number or a list is a mistake, not a spelling of one."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class LineField(TextField):
    """One line that cannot pretend to be another one: no control characters, nothing turned."""

    default_validators = [_LINE]  # noqa: RUF012  (their name for it)


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "integer"}]})
class TextOrNumberField(TextField):
    """An id of somebody else's, which clients keep as text or as the number that it is."""

    def to_internal_value(self, data: Any) -> str:
        is_number = isinstance(data, int) and not isinstance(data, bool)
        return super().to_internal_value(str(data) if is_number else data)


class TrueOrFalseField(serializers.BooleanField):
    """`true` or `false`: "yes", 1 and "off" are no booleans of JSON."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class WholeNumberField(serializers.IntegerField):
    """A number that came as a number, without a fraction."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)
