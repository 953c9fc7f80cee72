"""Our own timestamps: Unix milliseconds outside, aware datetimes inside; exact both ways."""

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def milliseconds(moment: datetime) -> int:
    """Whole Unix milliseconds of an aware moment, rounded down. No float comes near them."""
    return (moment - EPOCH) // _MILLISECOND


def from_milliseconds(milliseconds: int) -> datetime:
    """The moment, in UTC. Raises: OverflowError for what no calendar holds."""
    return EPOCH + milliseconds * _MILLISECOND
