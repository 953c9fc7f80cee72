"""Reports: what a person wants a moderator to look at, and what becomes of it.

What can be reported is said by `REPORT_TARGETS` in the settings; each target's function decides
whether the reporter sees the thing, and under which id it is kept.
"""

from typing import Any, Literal
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from accounts.errors import InvalidInput
from accounts.limits import spend
from accounts.services.staff_charts import daily, since
from accounts.timestamps import milliseconds
from social.errors import AlreadyAnswered, NotThere
from social.models import Report
from social.services.relations import lock_people
from stats.charts import Chart

Json = dict[str, Any]
Outcome = Literal["handled", "dismissed"]


def report(
    account_id: int, *, kind: str, target_id: str, reason: str, text: str = "", disclosed: str = ""
) -> tuple[Json, bool]:
    """Report something that the account sees; the report, and whether it is new: while one's own
    report of the same thing is open, another is the same.

    Raises: NotThere, TooManyRequests, InvalidInput (`disclosed` for what is not encrypted).
    """
    spend("reports", str(account_id))
    if kind not in settings.REPORT_TARGETS:
        raise NotThere
    target = import_string(settings.REPORT_TARGETS[kind])(account_id, target_id)
    if disclosed and not target.get("encrypted"):
        raise InvalidInput({"disclosed": ["Only for an encrypted message."]})
    named = {"target_type": kind, "target_id": target["target_id"]}
    with transaction.atomic():
        lock_people([account_id])
        mine = Report.objects.filter(reporter=account_id, status=Report.OPEN, **named)
        found = mine.first()
        made = found or Report.objects.create(
            reporter_id=account_id,
            subject_id=target["subject"],
            reason=reason,
            text=text,
            disclosed=disclosed,
            **named,
        )
    return _render(made), found is None


def handle_report(report_id: UUID, *, outcome: Outcome) -> None:
    """Staff have looked at an open report. Of two at once, the first counts.

    Raises: NotThere, AlreadyAnswered.
    """
    reports = Report.objects.filter(pk=report_id)
    if reports.filter(status=Report.OPEN).update(status=outcome, handled_at=timezone.now()):
        return
    raise AlreadyAnswered if reports.exists() else NotThere


def _render(report: Report) -> Json:
    """Nothing of the target: who reported knows it."""
    return {
        "id": report.pk.hex,
        "type": report.target_type,
        "reason": report.reason,
        "status": report.status,
        "createdAt": milliseconds(report.created_at),
    }


def reports_by_day() -> Chart:
    """Reports by the date on which they were made, for the staff's front page."""
    moments = Report.objects.filter(created_at__gte=since()).values_list("created_at", flat=True)
    return daily("reports", "Reports", "Reports by date.", moments)
