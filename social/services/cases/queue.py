"""Which cases staff see, in which order, and what the front page says about them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.translation import ngettext

from social.models import Case, Report
from social.models.reports import URGENT
from staff.services.members import staff_schools

# Open ones first, of these threats and sexual content, then the oldest.
QUEUE = ("-status", "-is_urgent", "created_at")
# On the front page.
WAITING_SHOWN = 5


def cases_for(schools: frozenset[str] | None) -> QuerySet[Case]:
    """The cases that moderators of these schools see (None: of all), without sealed columns."""
    rows = Case.objects.defer(*Case.SEALED)
    return rows if schools is None else rows.filter(school__in=schools)


def listed_cases(schools: frozenset[str] | None) -> QuerySet[Case]:
    """The same with what the list shows, in the order of `QUEUE`: `report_count`, without what was
    added to a report, the reasons, and whether one of them is urgent."""
    reasons = Report.objects.only("case_id", "reason").order_by("created_at")
    counted = Count("reports", filter=Q(reports__added_to=None))
    urgent = Exists(Report.objects.filter(case=OuterRef("pk"), reason__in=URGENT))
    rows = cases_for(schools).annotate(report_count=counted, is_urgent=urgent).order_by(*QUEUE)
    return rows.prefetch_related(Prefetch("reports", reasons, to_attr="listed_reports"))


def waiting_cases(user: User | AnonymousUser) -> Sequence[Case]:
    """The first open cases that nobody else has taken, for the front page of the staff site; none
    for staff who may not open cases."""
    if not user.has_perm("social.change_case"):
        return []
    rows = listed_cases(staff_schools(user)).filter(status=Case.OPEN)
    return list(rows.filter(taken_by__in=["", user.get_username()])[:WAITING_SHOWN])


def count_open(schools: frozenset[str] | None = None) -> tuple[int, int]:
    """How many cases are open, and how many of them nobody has opened."""
    numbers = cases_for(schools).aggregate(
        open=Count("pk", filter=Q(status=Case.OPEN)),
        unopened=Count("pk", filter=Q(status=Case.OPEN, opened_at=None)),
    )
    return numbers["open"], numbers["unopened"]


@dataclass(frozen=True, slots=True)
class StaffCount:
    """A number on the front page of the staff site, what it counts, and the page that it leads
    to."""

    label: str
    number: int
    url: str


def count_cases(user: User | AnonymousUser) -> Sequence[StaffCount]:
    """The open cases, and those that nobody has opened, for the front page of the staff site; none
    for staff who may not see cases."""
    if not user.has_perm("social.view_case"):
        return []
    total, unopened = count_open(staff_schools(user))
    page = reverse("admin:social_case_changelist")
    return [
        StaffCount(ngettext("open case", "open cases", total), total, f"{page}?status__exact=open"),
        StaffCount(
            ngettext("case that nobody has opened", "cases that nobody has opened", unopened),
            unopened,
            f"{page}?status__exact=open&opened_at__isempty=1",
        ),
    ]
