"""Where the next page of a list begins whose newest rows come first: after a time, and at that time
after an id. Opaque to clients."""

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidInput
from accounts.timestamps import EPOCH

_FORMAT = struct.Struct(">Q16s")
_MICROSECOND = timedelta(microseconds=1)


def write_cursor(moment: datetime, row_id: UUID) -> str:
    packed = _FORMAT.pack((moment - EPOCH) // _MICROSECOND, row_id.bytes)
    return urlsafe_b64encode(packed).decode()


def after_cursor(cursor: str, *, moment: str, row_id: str = "pk") -> Q:
    """The rows after the one of this cursor, all where it is empty; `moment` and `row_id` are the
    columns. Raises: InvalidInput, as `read_cursor`.
    """
    if not cursor:
        return Q()
    at, last = read_cursor(cursor)
    return Q(**{f"{moment}__lt": at}) | Q(**{moment: at, f"{row_id}__lt": last})


def read_cursor(cursor: str) -> tuple[datetime, UUID]:
    """Raises: InvalidInput for anything that `write_cursor` does not return."""
    try:
        microseconds, id_bytes = _FORMAT.unpack(urlsafe_b64decode(cursor))
        at, last = EPOCH + microseconds * _MICROSECOND, UUID(bytes=id_bytes)
        canonical = write_cursor(at, last)
    except (ValueError, struct.error, OverflowError):
        canonical = ""
    if canonical != cursor:
        raise InvalidInput({"cursor": [_("Give `next` of the previous page.")]})
    return at, last
