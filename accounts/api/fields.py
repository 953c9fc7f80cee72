"""Fields of request bodies that are stricter than DRF's, and one of answers."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.invisible_characters import has_invisible, is_blank
from accounts.timestamps import milliseconds

# C0, DEL, C1, line and paragraph separators, and the marks that turn the direction of text.
UNPRINTABLE = r"\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069"
_ONE_LINE = _("This must be one line of plain text.")
_LINE = RegexValidator(rf"\A[^{UNPRINTABLE}]*\Z", _ONE_LINE)


def all_visible(text: str) -> None:
    """Raises: ValidationError for invisible characters outside emoji."""
    if has_invisible(text):
        raise ValidationError(_ONE_LINE)


class TextField(serializers.CharField):
    """A JSON string; DRF's `CharField` also takes numbers."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class VisibleTextField(TextField):
    """A text with something to see in it."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if is_blank(text):
            self.fail("blank")
        return text


class PatternField(TextField, serializers.RegexField):
    """A JSON string that matches a pattern."""


class LineField(TextField):
    """One line without invisible characters: control characters, marks that change the direction
    of text, characters without width."""

    default_validators = [_LINE, all_visible]  # noqa: RUF012 - DRF reads this attribute


class NameField(LineField, VisibleTextField):
    """A name that others see: a line with something to see in it."""


class TextOrNumberField(TextField):
    """An id of upstream's. In the schema all ids are strings, but a number, as upstream has it in
    its own records, is accepted too."""

    def to_internal_value(self, data: Any) -> str:
        is_number = isinstance(data, int) and not isinstance(data, bool)
        return super().to_internal_value(str(data) if is_number else data)


class UserTypeField(serializers.ChoiceField):
    """The kind of a person in answers."""

    def __init__(self, **options: Any) -> None:
        super().__init__(["student", "teacher", "guardian"], **options)


class RealNameField(serializers.CharField):
    """The school's name of a person in answers, beside their display name."""

    def __init__(self, **options: Any) -> None:
        help_text = "The name at school; null where the display name reads the same."
        super().__init__(**{"allow_null": True, "help_text": help_text, **options})


class ConstantField(serializers.Field[Any, Any, Any, Any]):
    """A text in an answer that is always the same, so that types tell one form from another."""

    def __init__(self, value: str, **options: Any) -> None:
        super().__init__(**options)
        describe: Any = extend_schema_field({"type": "string", "const": value})
        describe(self)


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


class MillisecondsField(serializers.IntegerField):
    """A moment in an answer."""

    def __init__(self, **options: Any) -> None:
        super().__init__(help_text="Unix milliseconds.", **options)

    def to_representation(self, value: Any) -> int:
        return milliseconds(value)
