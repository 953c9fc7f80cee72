"""What staff see of a report, and what they do about it.

What a reported thing looks like, and what can be done to it, is said by the app that has it:
`REPORT_EXHIBITS` and `REPORT_ACTIONS` in the settings. Everybody can be warned or suspended, and
every report dismissed.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from accounts.services.suspension import suspend_account
from accounts.services.warnings import warn_account
from social.errors import NotThere
from social.models import Report
from social.services.reports import handle_report

# `title`; `facts`: (name, value) pairs; `lines`: who, at, text, reported.
Exhibit = dict[str, Any]
DISMISS = "dismiss"


def exhibit_of(report: Report) -> Exhibit | None:
    """The reported thing as it is now; None where it is gone. Encrypted things are not opened:
    what the reporter disclosed stands in the report."""
    if not report.target_id:
        return None
    show: Callable[[str], Exhibit | None] = import_string(
        settings.REPORT_EXHIBITS[report.target_type]
    )
    return show(report.target_id)


def actions_for(report: Report) -> list[str]:
    """What can be done about an open report, and undone about a handled one."""
    if report.status != Report.OPEN:
        return list(_undos(report))
    about_the_thing = settings.REPORT_ACTIONS.get(report.target_type, {})
    about_the_person = ["warn", "suspend"] if report.subject_id else []
    return [*about_the_thing, *about_the_person, DISMISS]


@transaction.atomic
def act_on_report(report_id: UUID, *, action: str) -> None:
    """Do it, and close the report; of two members of staff at once, the first counts. Or undo it:
    the report stays closed.

    Raises: NotThere (no such report, or no such action for it), AlreadyAnswered.
    """
    report = Report.objects.filter(pk=report_id).first()
    if report is None:
        raise NotThere
    if action in _undos(report):
        import_string(_undos(report)[action])(report.target_id)
        return
    handle_report(report_id, outcome="dismissed" if action == DISMISS else "handled")
    if action != DISMISS:
        _deed(report, action)()


def _undos(report: Report) -> dict[str, str]:
    if report.status != Report.HANDLED or not report.target_id:
        return {}
    return settings.REPORT_UNDOS.get(report.target_type, {})


def _deed(report: Report, action: str) -> Callable[[], Any]:
    about_the_thing = settings.REPORT_ACTIONS.get(report.target_type, {})
    subject = report.subject_id
    if action in about_the_thing:
        return lambda: import_string(about_the_thing[action])(report.target_id)
    if subject is not None and action == "warn":
        return lambda: warn_account(subject, reason=report.reason)
    if subject is not None and action == "suspend":
        return lambda: suspend_account(subject)
    raise NotThere
