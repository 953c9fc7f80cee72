"""Charts of the last 30 days for the front page of the staff site."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Account
from staff.services.members import staff_schools
from stats.charts import Chart, by_date
from stats.totals import read_totals

DAYS = 30


def sign_ins_by_day(_user: User | AnonymousUser) -> Chart:
    """Sign-ins by date, from the public statistics: dates suppressed there are suppressed here."""
    return by_date(
        "sign-ins",
        _("Sign-ins"),
        _("Sign-ins by date. Days with fewer than ten people are not shown."),
        read_totals()["peakDates"],
        today=timezone.localdate(),
        count=DAYS,
    )


def new_accounts_by_day(user: User | AnonymousUser) -> Chart:
    """Of the schools of this member of staff."""
    accounts = Account.objects.filter(created_at__gte=since())
    schools = staff_schools(user)
    if schools is not None:
        accounts = accounts.filter(school__in=schools)
    moments = accounts.values_list("created_at", flat=True)
    return daily("new-accounts", _("New people"), _("New accounts by date."), moments)


def since() -> datetime:
    """The start of the first of these days."""
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=DAYS - 1)


def daily(key: str, title: str, description: str, moments: Iterable[datetime]) -> Chart:
    """A chart with the number for each day in Stockholm; a day with none is shown as 0."""
    today = timezone.localdate()
    bars = {str(today - timedelta(days=back)): 0 for back in range(DAYS)}
    for moment in moments:
        day = str(timezone.localdate(moment))
        bars[day] = bars.get(day, 0) + 1
    return by_date(key, title, description, bars, today=today, count=DAYS)
