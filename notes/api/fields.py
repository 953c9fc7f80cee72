"""Fields of request bodies and answers that only this app has."""

import re
from datetime import datetime
from typing import Any, Final

from django.utils.timezone import get_default_timezone, make_aware
from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

from accounts.api.fields import TextField
from accounts.timestamps import from_milliseconds, milliseconds
from notes.richtext import json_schema
from notes.richtext.validate import Content, read_content

# Other years are typing mistakes, and calendar programs fail on them.
EARLIEST: Final = milliseconds(datetime(1970, 1, 1, tzinfo=get_default_timezone()))
LATEST: Final = milliseconds(datetime(2201, 1, 1, tzinfo=get_default_timezone())) - 1
# A number up to here is a date in seconds. As milliseconds it would be in the first weeks of 1970.
_LATEST_SECONDS: Final = LATEST // 1000
# `fromisoformat` accepts more than this (`20261224`, `2026-W52-4`), and each Python version more.
_DATE_OR_TIME = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:[0-5]\d)?)?",
    re.ASCII,
)


class ContentField(serializers.Field[Any, Any, Any, Any]):
    """The content of a note. In a request a document or plain text; in an answer the validated
    document, null for plain text."""

    def to_internal_value(self, data: Any) -> Content:
        return read_content(data)


class ContentInSchema(OpenApiSerializerFieldExtension):
    target_class = ContentField

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        # Each component is registered, because they refer to each other.
        references = {
            name: auto_schema._reference(ResolvedComponent.SCHEMA, name, schema)
            for name, schema in json_schema.components().items()
        }
        document = references[json_schema.DOCUMENT]
        if direction == "request":
            return {"oneOf": [{"type": "string"}, document]}
        return {"oneOf": [document, {"type": "null", "description": "Plain text."}]}


class AliasChoiceField(serializers.ChoiceField):
    """A choice that also accepts the names that older clients use."""

    def __init__(self, choices: Any, *, aliases: dict[str, str], **kwargs: Any) -> None:
        super().__init__(choices, **kwargs)
        self.aliases = aliases

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(self.aliases.get(str(data), data))


class ClearableTextField(TextField):
    """Optional text. Null means the same as the empty text."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, allow_blank=True, allow_null=True, **kwargs)

    def run_validation(self, data: Any = empty) -> Any:
        return super().run_validation("" if data is None else data)


@extend_schema_field(
    {
        "anyOf": [
            {
                "type": "integer",
                "format": "int64",
                "minimum": _LATEST_SECONDS + 1,
                "maximum": LATEST,
            },
            {"type": "string", "format": "date"},
            {"type": "string", "format": "date-time"},
        ],
        "description": (
            "Unix milliseconds, a date (midnight) or a date and time; in Europe/Stockholm unless "
            "it has an offset. Years 1970 to 2200. A number of seconds is refused."
        ),
    }
)
class TargetDateField(serializers.Field[datetime, Any, Any, Any]):
    """An aware datetime of the years 1970 to 2200."""

    default_error_messages = {  # noqa: RUF012  (DRF's API)
        "invalid": _("Give Unix milliseconds, an ISO date or an ISO date and time."),
        "seconds": _("This number is in seconds. Give milliseconds: multiply it by 1,000."),
        "range": _("Give a date from the years 1970 to 2200."),
    }

    def to_internal_value(self, data: Any) -> datetime:
        if isinstance(data, str):
            value = self._parse(data.strip())
            if not EARLIEST <= milliseconds(value) <= LATEST:
                self.fail("range")
            return value
        # In JSON 1e12 is as good an integer as 1000000000000; a boolean is not.
        is_integer = isinstance(data, int | float) and data == int(data)
        if isinstance(data, bool) or not is_integer:
            self.fail("invalid")
        if abs(data) <= _LATEST_SECONDS:
            self.fail("seconds")
        if not EARLIEST <= data <= LATEST:
            self.fail("range")
        return from_milliseconds(int(data))

    def _parse(self, text: str) -> datetime:
        if not _DATE_OR_TIME.fullmatch(text):
            self.fail("invalid")
        try:
            parsed = datetime.fromisoformat(text)
        except ValueError:  # such as the 31st of June
            self.fail("invalid")
        return parsed if parsed.tzinfo else make_aware(parsed)
