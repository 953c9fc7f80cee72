"""Mail to staff about reports that wait: how many there are, and nothing of their content."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext, ngettext

from accounts.origins import public_url
from social.models import Case

# A case that nobody has opened is said again after this time, until somebody does.
REMIND_AFTER = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Reminder:
    """`new`: cases with a report that nobody was told of. `waiting`: cases that nobody has opened
    for a day."""

    new: int
    waiting: int

    @property
    def is_due(self) -> bool:
        return bool(self.new or self.waiting)


def remind_staff(*, dry_run: bool = False) -> Reminder:
    """Mail REPORTS_TO about new reports and about cases that nobody has opened for a day.

    The cases are marked before the mail leaves, so that two nodes do not both send it and no lock
    is held meanwhile; when it does not leave, the marks are removed, and the next run says the
    same again. Raises: OSError (the mail server).
    """
    now = timezone.now()
    new, waiting = _claim(now, dry_run=dry_run)
    reminder = Reminder(len(new), len(waiting))
    if reminder.is_due and not dry_run:
        try:
            _message(reminder).send()
        except Exception:
            Case.objects.filter(pk__in=new, announced_at=now).update(announced_at=None)
            Case.objects.filter(pk__in=waiting, reminded_at=now).update(reminded_at=None)
            raise
    return reminder


@transaction.atomic
def _claim(now: datetime, *, dry_run: bool) -> tuple[list[UUID], list[UUID]]:
    """The new and the waiting cases, which are marked as mailed."""
    cases = Case.objects.filter(status=Case.OPEN)
    if connection.features.has_select_for_update_skip_locked:
        cases = cases.select_for_update(skip_locked=True)
    before = now - REMIND_AFTER
    new = list(cases.filter(announced_at=None).values_list("pk", flat=True))
    is_due = Q(announced_at__lte=before) & (Q(reminded_at=None) | Q(reminded_at__lte=before))
    waiting = list(cases.filter(is_due, opened_at=None).values_list("pk", flat=True))
    if not dry_run:
        Case.objects.filter(pk__in=new).update(announced_at=now)
        Case.objects.filter(pk__in=waiting).update(reminded_at=now)
    return new, waiting


def _message(reminder: Reminder) -> EmailMessage:
    """In DEFAULT_LANGUAGE: nobody has asked for one."""
    with translation.override(settings.DEFAULT_LANGUAGE):
        lines = []
        if reminder.new:
            text = ngettext(
                "There is %(count)d new report.", "There are %(count)d new reports.", reminder.new
            )
            lines.append(text % {"count": reminder.new})
        if reminder.waiting:
            text = ngettext(
                "%(count)d report has waited for more than a day, and nobody has opened it.",
                "%(count)d reports have waited for more than a day, and nobody has opened them.",
                reminder.waiting,
            )
            lines.append(text % {"count": reminder.waiting})
        page = f"{reverse('admin:social_case_changelist')}?status__exact=open"
        lines.append(gettext("Sign in to see them: %(address)s") % {"address": public_url(page)})
        subject = gettext("Reports are waiting")
        return EmailMessage(subject, "\n\n".join(lines) + "\n", to=settings.REPORTS_TO)
