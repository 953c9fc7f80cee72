"""Everything that staff see of a case that they have opened."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.db.models import Q

from accounts.contribution_types import EvidencePerson, ReportAction, Words
from accounts.registry import report_kind
from accounts.services.people import Person, people_of
from social.models import Case, CaseAction, Report
from social.services.cases.actions import LIFT_LABEL, PERSON_ACTIONS
from social.services.cases.people import people_in, reported_by_person
from social.services.cases.queue import cases_for
from social.services.cases.suspensions import SUSPEND, suspensions_in
from social.services.evidence import Snapshot, compare, from_text

# On the page of a case. A thing that many report has more.
REPORTS_SHOWN = 100
EARLIER_SHOWN = 20
READERS_SHOWN = 100


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report, and the cases of the reporter's other reports."""

    report: Report
    others: Sequence[Case]


@dataclass(frozen=True, slots=True)
class ActionRow:
    """What staff did, in readers' words. `undo` is the label of what takes it back, if anything."""

    done: CaseAction
    label: Words
    undo: Words


@dataclass(frozen=True, slots=True)
class Choice:
    """A member of a reported group whom the case may be about."""

    person_hash: str
    person: EvidencePerson
    is_reporter: bool
    suggested: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where it happened: what kind of place that is, its name, and who reads there now."""

    kind: Words
    name: str
    readers: Sequence[Person]
    reader_count: int


@dataclass(frozen=True, slots=True)
class CaseDetails:
    """Everything about one case. `earlier` are other cases about the same person or thing."""

    case: Case
    place: Place | None
    reports: Sequence[ReportRow]
    snapshots: Sequence[Snapshot]
    choices: Sequence[Choice]
    target_actions: Sequence[ReportAction]
    may_warn: bool
    may_suspend: bool
    person_is_reporter: bool
    done: Sequence[ActionRow]
    earlier: Sequence[Case]
    earlier_done: Sequence[ActionRow]


def case_details(case: Case, schools: frozenset[str] | None) -> CaseDetails:
    """For staff who have opened the case. A constant number of queries."""
    reports = _reports_of(case)
    done = list(case.actions.order_by("at", "pk"))
    snapshots = _snapshots(case, reports)
    gone = bool(snapshots) and snapshots[-1].gone
    person_known = case.is_open and bool(case.person_hash)
    active = {action.name for action in done if action.undone_at is None}
    offered = [] if gone or not case.is_open else report_kind(case.target_type).actions
    return CaseDetails(
        case=case,
        place=_place(case),
        reports=_report_rows(case, reports, schools),
        snapshots=snapshots,
        choices=_choices(case, reports) if case.is_open else [],
        # One that can be undone is done once.
        target_actions=[
            action for action in offered if not (action.undo and action.name in active)
        ],
        may_warn=person_known and case.person_id is not None,
        may_suspend=person_known and not suspensions_in(case).exists(),
        person_is_reporter=reported_by_person(case),
        done=[_action_row(case, action) for action in done],
        earlier=_earlier(case, schools),
        earlier_done=_earlier_done(case, schools),
    )


def _place(case: Case) -> Place | None:
    find = report_kind(case.target_type).find_place
    place = find(case.target_id) if find else None
    if place is None:
        return None
    people = people_of(place.reader_ids[:READERS_SHOWN])
    readers = [people[reader] for reader in place.reader_ids if reader in people]
    return Place(place.kind, place.name, readers, len(place.reader_ids))


def _reports_of(case: Case) -> list[Report]:
    """The reports of a case and what was added to them, the oldest first. Where there are too many,
    whatever people have added gives way to what others reported."""
    rows = case.reports.select_related("reporter__profile").annotate(
        is_added=Q(added_to__isnull=False)
    )
    rows = rows.order_by("is_added", "created_at", "pk")
    return sorted(rows[:REPORTS_SHOWN], key=lambda report: (report.created_at, report.pk))


def _report_rows(
    case: Case, reports: Sequence[Report], schools: frozenset[str] | None
) -> list[ReportRow]:
    reporters = [report.reporter_id for report in reports if report.reporter_id]
    others: dict[int, list[Case]] = {}
    other_reports = Report.objects.filter(reporter__in=reporters, added_to=None).exclude(case=case)
    visible = other_reports.filter(case__in=cases_for(schools).values("pk")).order_by("-created_at")
    sealed = (*Report.SEALED, *(f"case__{name}" for name in Case.SEALED))
    for other in visible.select_related("case").defer(*sealed)[: EARLIER_SHOWN * REPORTS_SHOWN]:
        others.setdefault(other.reporter_id or 0, []).append(other.case)
    return [ReportRow(report, others.get(report.reporter_id or 0, [])) for report in reports]


def _snapshots(case: Case, reports: Sequence[Report]) -> list[Snapshot]:
    """Each copy that differs from the one before, beside what stands there now."""
    kind = report_kind(case.target_type)
    now = kind.collect_evidence(case.target_id)
    copies = [
        (then, report.created_at)
        for report in reports
        if (then := from_text(str(report.evidence))) is not None
    ]
    return [
        compare(kind, then, now, reported_at=[reported_at for _, reported_at in same])
        for then, same in groupby(copies, key=itemgetter(0))
    ]


def _choices(case: Case, reports: Sequence[Report]) -> list[Choice]:
    if report_kind(case.target_type).find_person is None:
        return []
    reporters = {report.reporter_hash for report in reports}
    # Reports from before `reporter_hash` have the account only.
    names = {report.reporter.username for report in reports if report.reporter}
    suggested = {str(report.suggested) for report in reports}
    return [
        Choice(
            person_hash,
            person,
            is_reporter=person_hash in reporters or person.username in names,
            suggested=person.username in suggested,
        )
        for person_hash, person in people_in(case).items()
    ]


def _earlier(case: Case, schools: frozenset[str] | None) -> list[Case]:
    same = Q(target_type=case.target_type, target_id=case.target_id)
    if case.person_hash:
        same |= Q(person_hash=case.person_hash)
    rows = cases_for(schools).filter(same).exclude(pk=case.pk)
    return list(rows.order_by("-created_at")[:EARLIER_SHOWN])


def _earlier_done(case: Case, schools: frozenset[str] | None) -> list[ActionRow]:
    """The warnings and suspensions of the person in other cases, the newest first."""
    if not case.person_hash:
        return []
    rows = CaseAction.objects.filter(person_hash=case.person_hash).exclude(case=case)
    rows = rows.filter(case__in=cases_for(schools).values("pk"))
    return [_action_row(case, row) for row in rows.order_by("-at", "-pk")[:EARLIER_SHOWN]]


def _action_row(case: Case, done: CaseAction) -> ActionRow:
    if done.name in PERSON_ACTIONS:
        here = done.name == SUSPEND and done.case_id == case.pk and done.undone_at is None
        return ActionRow(done, PERSON_ACTIONS[done.name], LIFT_LABEL if here else "")
    for action in report_kind(case.target_type).actions:
        if action.name == done.name:
            may_undo = action.undo if done.undone_at is None else None
            return ActionRow(done, action.label, may_undo.label if may_undo else "")
    return ActionRow(done, done.name, "")
