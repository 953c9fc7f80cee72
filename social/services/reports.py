"""Reports: what a person wants a moderator to look at.

What can be reported and what staff see of it is declared by the app that owns it (`ReportKind`).
What was reported is sealed at once, so that nothing that its author does later changes it. Reports
of the same thing belong to one case while it is open: `services/cases/`.
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.addresses import network_of
from accounts.contribution_types import ReportKind, ReportTarget
from accounts.errors import InvalidInput, NotFound
from accounts.models import Account
from accounts.registry import report_kind
from accounts.services.people import person_hash_of
from accounts.timestamps import milliseconds
from limits import spend
from social.limits import NOTE_REPORTS, REPORTS, REPORTS_LISTED
from social.models import Case, Report
from social.services.cases.queue import cases_for
from social.services.evidence import to_text
from staff.charts import daily, since
from staff.services.members import staff_schools
from stats.charts import Chart

Json = dict[str, Any]


def report(
    account_id: int,
    *,
    kind: str,
    target_id: str,
    reason: str,
    text: str = "",
    disclosed: str = "",
    username: str = "",
) -> tuple[Json, bool]:
    """Report something that the account can see. Returns the report and whether it is new: while
    one's own report of the same target is open, words and evidence are added to that one.

    Raises: NotFound (the target, or the person named in it), TooManyRequests, InvalidInput
    (`disclosed` for something not encrypted, `username` for something else than a group).
    """
    spend(REPORTS, person_hash_of(account_id))
    declared = report_kind(kind)
    find = partial(declared.find_target, account_id, target_id)
    target = find()
    if disclosed and not target.encrypted:
        raise InvalidInput({"disclosed": [str(_("Only for an encrypted message."))]})
    suggested = _suggested(declared, account_id, target, username)
    columns = {"reason": reason, "text": text, "disclosed": disclosed, "suggested": suggested}
    created = _add(declared, find, target, account_id, **columns)
    return _render(created.added_to or created), created.added_to is None


def report_publicly(
    *, kind: str, target_id: str, client_address: str, reason: str, text: str = ""
) -> None:
    """Report something that everybody with its address can see, without an account.

    Raises: NotFound, TooManyRequests (by the network of the client).
    """
    spend(NOTE_REPORTS, network_of(client_address))
    declared = report_kind(kind)
    if declared.find_public_target is None:
        raise NotFound
    find = partial(declared.find_public_target, target_id)
    _add(declared, find, find(), None, reason=reason, text=text)


def own_reports(account_id: int) -> list[Json]:
    """The newest reports that the account has made: whether each was closed, and whether staff did
    something, but not what."""
    rows = Report.objects.filter(reporter=account_id, added_to=None).select_related("case")
    newest = rows.defer(*_SEALED).order_by("-created_at", "-pk")[:REPORTS_LISTED]
    return [_render(report) for report in newest]


# Not read here, so not decrypted.
_SEALED = (*Report.SEALED, *(f"case__{name}" for name in Case.SEALED))


def _suggested(kind: ReportKind, account_id: int, target: ReportTarget, username: str) -> str:
    if not username:
        return ""
    if kind.find_person is None:
        raise InvalidInput({"username": [str(_("Only for a group."))]})
    return kind.find_person(account_id, target.id, username).username


def _locked(account_ids: Collection[int | None]) -> dict[int, Account]:
    """These accounts, locked: an erasure at the same time deletes them before or after."""
    wanted = [account_id for account_id in account_ids if account_id is not None]
    rows = Account.objects.select_for_update(no_key=True).filter(pk__in=wanted)
    return {account.pk: account for account in rows.order_by("pk")}


@transaction.atomic
def _add(
    kind: ReportKind,
    find: Callable[[], ReportTarget],
    target: ReportTarget,
    reporter_id: int | None,
    **columns: str,
) -> Report:
    """Add a report to the open case about the target, which may be a new one; `added_to` the
    reporter's first report in it, if there is one. `columns` are of the report.

    Raises: NotFound, when the target or the reporter has just gone.
    """
    people = _locked({reporter_id, target.person_id})
    if target.person_id is not None and target.person_id not in people:
        # Erased since it was found: what is kept has the person's hash in place of the account.
        target = find()
    reporter = people.get(reporter_id or 0)
    if reporter_id is not None and (reporter is None or reporter.erasure_started_at):
        raise NotFound
    collect = kind.collect_reported
    evidence = collect(target) if collect else kind.collect_evidence(target.id)
    if evidence is None:
        raise NotFound
    case = _open_case(kind, target, people.get(target.person_id or 0), reporter)
    first = None
    if reporter is not None:
        own = case.reports.filter(reporter=reporter, added_to=None)
        first = own.select_related("case").defer(*_SEALED).first()
    return Report.objects.create(
        case=case,
        added_to=first,
        reporter=reporter,
        has_account=reporter is not None,
        reporter_hash=_hash_of(reporter),
        evidence=to_text(evidence),
        **columns,
    )


def _open_case(
    kind: ReportKind, target: ReportTarget, person: Account | None, reporter: Account | None
) -> Case:
    """The open case about the target, which may be a new one: about `person`, or about whom the
    target names by a hash. It is locked, so that it is not closed meanwhile."""
    responsible = person or reporter
    school = target.school or (responsible.school if responsible else "")
    # Of two first reports at once, one makes the case.
    cases = Case.objects.select_for_update(no_key=True).defer(*Case.SEALED)
    case, new = cases.get_or_create(
        target_type=kind.name,
        target_id=target.id,
        status=Case.OPEN,
        defaults={
            "person": person,
            "person_hash": _hash_of(person) if person else target.person_hash,
            "person_name": person.username if person else target.person_name,
            "school": school,
        },
    )
    if not new and case.opened_at:
        # Who has opened it may not look again: the next mail counts it as a new report.
        case.announced_at = None
        case.save(update_fields=["announced_at"])
    return case


def _hash_of(account: Account | None) -> str:
    return account.person_hash if account else ""


def _render(report: Report) -> Json:
    """Without the target, which the reporter knows."""
    return {
        "id": report.pk.hex,
        "type": report.case.target_type,
        "reason": report.reason,
        "status": report.case.status,
        "outcome": report.case.outcome,
        "createdAt": milliseconds(report.created_at),
    }


def reports_by_day(user: User | AnonymousUser) -> Chart:
    """Reports by the date on which they were made, for the front page of the staff site: in cases
    of the schools of this member of staff."""
    cases = cases_for(staff_schools(user)).values("pk")
    reports = Report.objects.filter(created_at__gte=since(), case__in=cases, added_to=None)
    moments = reports.values_list("created_at", flat=True)
    return daily("reports", gettext("Reports"), gettext("Reports by date."), moments)
