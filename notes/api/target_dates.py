"""A moment in a request body: Unix milliseconds, an ISO date, or an ISO date and time."""

import re
from datetime import datetime
from typing import Any, Final

from django.utils.timezone import get_default_timezone, make_aware
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.timestamps import from_milliseconds, milliseconds

# Beyond these years is a slip of the finger, and calendar programs choke on it.
EARLIEST: Final = milliseconds(datetime(1970, 1, 1, tzinfo=get_default_timezone()))
LATEST: Final = milliseconds(datetime(2201, 1, 1, tzinfo=get_default_timezone())) - 1
# Python reads more than this as ISO 8601 (`20261224`, `2026-W52-4`), each version another part.
_FORM = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:[0-5]\d)?)?",
    re.ASCII,
)


@extend_schema_field(
    {
        "anyOf": [
            {"type": "integer", "format": "int64", "minimum": EARLIEST, "maximum": LATEST},
            {"type": "string", "format": "date"},
            {"type": "string", "format": "date-time"},
        ],
        "description": (
            "Unix milliseconds; or a date, which means its midnight in Europe/Stockholm; or a date "
            "and time, in Europe/Stockholm where it names no offset. Years 1970 to 2200."
        ),
    }
)
class TargetDateField(serializers.Field[datetime, Any, int, Any]):
    """Gives an aware moment, of the years 1970 to 2200 in Stockholm."""

    default_error_messages = {  # noqa: RUF012  (their API)
        "invalid": "Give Unix milliseconds, an ISO date or an ISO date and time.",
        "range": "Give a date from the years 1970 to 2200.",
    }

    def to_internal_value(self, data: Any) -> datetime:
        if isinstance(data, str):
            return self._in_range(self._read(data.strip()))
        # To JSON 1e12 is as whole a number as 1000000000000; a truth value is none.
        is_whole = isinstance(data, int | float) and data == int(data)
        if isinstance(data, bool) or not is_whole:
            self.fail("invalid")
        if not EARLIEST <= data <= LATEST:
            self.fail("range")
        return from_milliseconds(int(data))

    def _read(self, text: str) -> datetime:
        if not _FORM.fullmatch(text):
            self.fail("invalid")
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:  # the 31st of June
            self.fail("invalid")
        return moment if moment.tzinfo else make_aware(moment)

    def _in_range(self, moment: datetime) -> datetime:
        if not EARLIEST <= milliseconds(moment) <= LATEST:
            self.fail("range")
        return moment

    def to_representation(self, value: datetime) -> int:
        return milliseconds(value)
