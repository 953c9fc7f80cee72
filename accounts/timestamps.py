"""Unix milliseconds, as the API has them, from and to aware datetimes; without rounding errors."""

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def milliseconds(moment: datetime) -> int:
    """Whole Unix milliseconds of an aware datetime, rounded down."""
    return (moment - EPOCH) // _MILLISECOND


def from_milliseconds(milliseconds: int) -> datetime:
    """The datetime, in UTC. Raises: OverflowError beyond the years 1 to 9999."""
    return EPOCH + milliseconds * _MILLISECOND
