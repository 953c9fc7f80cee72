"""Where a page of notes ended, as opaque text: the moment of the last change, and the id."""

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from accounts.errors import InvalidInput
from accounts.timestamps import EPOCH

_FORM: Final = struct.Struct(">q16s")
_MICROSECOND: Final = timedelta(microseconds=1)


def write_cursor(moment: datetime, note_id: UUID) -> str:
    """32 characters that need no escaping in an address."""
    packed = _FORM.pack((moment - EPOCH) // _MICROSECOND, note_id.bytes)
    return urlsafe_b64encode(packed).decode()


def read_cursor(text: str) -> tuple[datetime, UUID]:
    """What `write_cursor` was given. Raises: InvalidInput."""
    try:
        microseconds, note_id = _FORM.unpack(urlsafe_b64decode(text))
        return EPOCH + microseconds * _MICROSECOND, UUID(bytes=note_id)
    except (ValueError, struct.error, OverflowError):
        raise InvalidInput({"cursor": ["This is no cursor of ours."]}) from None
