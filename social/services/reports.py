"""Reports: what a person wants a moderator to look at, and what staff do about it.

What can be reported, what staff see of it and what they can do to it is declared by the app that
owns it (`ReportKind`). Every report can also be dismissed, and the responsible person warned or
suspended.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.contribution_types import Evidence, ReportAction
from accounts.errors import InvalidInput
from accounts.rate_limits import spend
from accounts.registry import report_kind
from accounts.services.staff_charts import daily, since
from accounts.services.suspension import suspend_account
from accounts.services.warnings import warn_account
from accounts.timestamps import milliseconds
from social.access import lock_accounts
from social.errors import AlreadyAnswered, NotThere
from social.limits import REPORTS
from social.models import Report
from stats.charts import Chart

Json = dict[str, Any]
Outcome = Literal["handled", "dismissed"]
WARN, SUSPEND, DISMISS = "warn", "suspend", "dismiss"
LABELS = {WARN: "Warn the person", SUSPEND: "Suspend the account", DISMISS: "Dismiss the report"}


def report(
    account_id: int, *, kind: str, target_id: str, reason: str, text: str = "", disclosed: str = ""
) -> tuple[Json, bool]:
    """Report something that the account can see. Returns the report and whether it is new: while
    one's own report of the same target is open, that one is returned.

    Raises: NotThere, TooManyRequests, InvalidInput (`disclosed` for something not encrypted).
    """
    spend(REPORTS, str(account_id))
    target = report_kind(kind).find_target(account_id, target_id)
    if disclosed and not target.encrypted:
        raise InvalidInput({"disclosed": ["Only for an encrypted message."]})
    named = {"target_type": kind, "target_id": target.id}
    with transaction.atomic():
        lock_accounts([account_id])
        mine = Report.objects.filter(reporter=account_id, status=Report.OPEN, **named)
        found = mine.first()
        made = found or Report.objects.create(
            reporter_id=account_id,
            subject_id=target.subject_id,
            reason=reason,
            text=text,
            disclosed=disclosed,
            **named,
        )
    return _render(made), found is None


def _render(report: Report) -> Json:
    """Without the target, which the reporter knows."""
    return {
        "id": report.pk.hex,
        "type": report.target_type,
        "reason": report.reason,
        "status": report.status,
        "createdAt": milliseconds(report.created_at),
    }


def evidence_of(report: Report) -> Evidence | None:
    """The reported thing as it is now; None when it is gone. Nothing is decrypted: the report has
    what the reporter disclosed."""
    if not report.target_id:
        return None
    return report_kind(report.target_type).collect_evidence(report.target_id)


def actions_for(report: Report) -> dict[str, str]:
    """What staff can do about an open report, or undo about a handled one: name -> label."""
    on_target = {action.name: action.label for action in _target_actions(report)}
    if report.status != Report.OPEN:
        return on_target
    on_person = (WARN, SUSPEND) if report.subject_id else ()
    return on_target | {name: LABELS[name] for name in (*on_person, DISMISS)}


@transaction.atomic
def act_on_report(report_id: UUID, *, action: str) -> None:
    """Do it and close the report; of two members of staff at once, the first one counts. Undoing an
    action leaves the report closed.

    Raises: NotThere (no such report, or no such action for it), AlreadyAnswered.
    """
    report = Report.objects.filter(pk=report_id).first()
    if report is None:
        raise NotThere
    run = _action(report, action)
    if report.status == Report.OPEN:
        handle_report(report_id, outcome="dismissed" if action == DISMISS else "handled")
    run()


def handle_report(report_id: UUID, *, outcome: Outcome) -> None:
    """Close an open report. Of two members of staff at once, the first one counts.

    Raises: NotThere, AlreadyAnswered.
    """
    reports = Report.objects.filter(pk=report_id)
    if reports.filter(status=Report.OPEN).update(status=outcome, handled_at=timezone.now()):
        return
    raise AlreadyAnswered if reports.exists() else NotThere


def _target_actions(report: Report) -> list[ReportAction]:
    """The actions on the target of an open report; the undo actions of a handled one."""
    actions = report_kind(report.target_type).actions
    if report.status == Report.OPEN:
        return list(actions)
    if report.status != Report.HANDLED or not report.target_id:
        return []
    return [action.undo for action in actions if action.undo]


def _action(report: Report, name: str) -> Callable[[], object]:
    """The action of this name, ready to run. Raises: NotThere, AlreadyAnswered."""
    for action in _target_actions(report):
        if action.name == name:
            return partial(action.run, report.target_id)
    if report.status != Report.OPEN:
        raise AlreadyAnswered
    if name == DISMISS:
        return lambda: None
    if report.subject_id is not None and name == WARN:
        return partial(warn_account, report.subject_id, reason=report.reason)
    if report.subject_id is not None and name == SUSPEND:
        return partial(suspend_account, report.subject_id)
    raise NotThere


def reports_by_day() -> Chart:
    """Reports by the date on which they were made, for the front page of the staff site."""
    moments = Report.objects.filter(created_at__gte=since()).values_list("created_at", flat=True)
    return daily("reports", "Reports", "Reports by date.", moments)
