"""The last 30 days of people coming here, drawn for the staff's front page."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from django.utils import timezone

from accounts.models import Account
from stats.charts import Chart, by_date
from stats.totals import read_totals

DAYS = 30


def sign_ins_by_day() -> Chart:
    """From the public numbers: what is folded there is folded here."""
    return by_date(
        "sign-ins",
        "Sign-ins",
        "Sign-ins by date; a day with fewer than ten people has none.",
        read_totals()["peakDates"],
        today=timezone.localdate(),
        count=DAYS,
    )


def newcomers_by_day() -> Chart:
    """Accounts by the date on which they first signed in."""
    moments = Account.objects.filter(created_at__gte=since()).values_list("created_at", flat=True)
    return daily("newcomers", "New people", "Accounts by the date of their beginning.", moments)


def since() -> datetime:
    """The beginning of the first of the days."""
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=DAYS - 1)


def daily(key: str, title: str, what: str, moments: Iterable[datetime]) -> Chart:
    """So many a day, in Stockholm; a day without any is drawn as one."""
    today = timezone.localdate()
    bars = {str(today - timedelta(days=back)): 0 for back in range(DAYS)}
    for moment in moments:
        bars[str(_day_of(moment))] = bars.get(str(_day_of(moment)), 0) + 1
    return by_date(key, title, what, bars, today=today, count=DAYS)


def _day_of(moment: datetime) -> date:
    return timezone.localdate(moment)
