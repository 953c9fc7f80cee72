"""What staff do in a case: open it, choose whom it is about, act, undo, close it.

Locks are taken in the order of `social.access`: the person, their account, the case, the
conversation. Each act raises the case's version. An act that names an older one is refused, so of
two members of staff at once, the second one sees first what the other has done.
"""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import EvidencePerson, ReportAction, Words
from accounts.errors import NotFound
from accounts.models import Account
from accounts.registry import report_kind
from accounts.services.erased_people import lock_people
from accounts.services.warnings import warn_account
from social.errors import CaseChanged, NothingToDo, PersonReportedIt, StateConflict
from social.models import Case, CaseAction
from social.services.cases.people import people_in, reported_by_person
from social.services.cases.suspensions import SUSPEND, PersonAct, lift, suspend, suspensions_in
from social.services.notifications.people import tell_reporters

WARN = "warn"
PERSON_ACTIONS: dict[str, Words] = {
    WARN: _("Warn the person"),
    SUSPEND: _("Suspend the account"),
}
LIFT_LABEL = _("Lift the suspension")


@dataclass(frozen=True, slots=True)
class StaffAct:
    """Who acts in which case, and the version of the case that they have seen."""

    case_id: UUID
    staff: str
    version: int


def mark_opened(case_id: UUID) -> None:
    """Staff have opened the case; the first time counts. What they see is not announced to them."""
    now = timezone.now()
    Case.objects.filter(pk=case_id, opened_at=None).update(opened_at=now)
    Case.objects.filter(pk=case_id, announced_at=None).update(announced_at=now)


@transaction.atomic
def take_case(act: StaffAct) -> Case:
    """Say for colleagues that this member of staff handles the case, whoever did so before. It
    keeps nobody from acting.

    Raises: NotFound, NothingToDo (they do already), CaseChanged, StateConflict (closed).
    """
    return _hand_over(act, before=None, after=act.staff)


@transaction.atomic
def leave_case(act: StaffAct) -> Case:
    """Say that they handle it no more. Raises: as `take_case`, NothingToDo (they did not)."""
    return _hand_over(act, before=act.staff, after="")


def _hand_over(act: StaffAct, *, before: str | None, after: str) -> Case:
    case = _locked_case(act)
    if case.taken_by == after or before not in (None, case.taken_by):
        raise NothingToDo
    case.taken_by = after
    case.save(update_fields=["taken_by"])
    return case


@transaction.atomic
def choose_person(act: StaffAct, *, person_hash: str, confirmed: bool = False) -> Case:
    """Say which member a reported group is about; later another one, where several took part.

    Raises: NotFound (not one of the group), PersonReportedIt (not `confirmed`), CaseChanged,
    StateConflict (closed).
    """
    person = _member(act.case_id, person_hash)
    chosen = Account.objects.filter(school=person.school, upstream_user_id=person.upstream_user_id)
    case = _locked_case(act, also=person_hash, accounts=chosen)
    case.person, case.person_hash, case.person_name = chosen.first(), person_hash, person.username
    # Whoever sees the case goes on seeing it, also when the person is of another school.
    case.school = case.school or person.school
    _require_no_reporter(case, confirmed)
    case.save(update_fields=["person", "person_hash", "person_name", "school"])
    return case


def _member(case_id: UUID, person_hash: str) -> EvidencePerson:
    """One of those whom the case may be about. Raises: NotFound."""
    case = Case.objects.filter(pk=case_id).first()
    person = people_in(case).get(person_hash) if case else None
    if person is None:
        raise NotFound
    return person


@transaction.atomic
def act_on_target(act: StaffAct, *, action: str, close: bool = False) -> Case:
    """Do one of the target's actions, and close the case where asked to.

    Raises: NotFound (no such case, no such action, or the target is gone), NothingToDo (it is like
    that already), CaseChanged, StateConflict (closed).
    """
    case = _locked_case(act)
    if not _target_action(case, action).run(case.target_id):
        raise NothingToDo
    CaseAction.objects.create(case=case, name=action, staff=act.staff, at=timezone.now())
    if close:
        _close(case)
    return case


@transaction.atomic
def act_on_person(act: StaffAct, *, action: str, what: PersonAct, close: bool = False) -> Case:
    """Warn or suspend the person whom the case is about, and close the case where asked to. Who has
    erased their account meanwhile can be suspended, not warned.

    Raises: NotFound (no such case; nobody to act on), PersonReportedIt (not `confirmed`),
    NothingToDo (this case has suspended them already), CaseChanged, StateConflict (closed).
    """
    case = _locked_case(act)
    _require_no_reporter(case, what.confirmed)
    if action == WARN and case.person_id is not None:
        warn_account(case.person_id, text=what.words)
    elif action == SUSPEND and case.person_hash:
        if suspensions_in(case).exists():
            raise NothingToDo
        suspend(case, until=what.until, reason=what.words, keep_longer=True)
    else:
        raise NotFound
    CaseAction.objects.create(
        case=case,
        name=action,
        person=case.person,
        person_hash=case.person_hash,
        person_name=case.person_name,
        words=what.words,
        until=what.until,
        staff=act.staff,
        at=timezone.now(),
    )
    if close:
        _close(case)
    return case


@transaction.atomic
def undo_action(act: StaffAct, *, action_id: int) -> CaseAction:
    """Take back one thing that was done in this case, which may be closed, and nothing else.
    Returns what was taken back, with its case.

    Raises: NotFound (the case; the action, or it is undone already; the target), CaseChanged.
    """
    rows = CaseAction.objects.filter(pk=action_id, case=act.case_id, undone_at=None)
    before_lock = rows.first()
    if before_lock is None:
        raise NotFound
    acted_on = Account.objects.filter(pk__in=rows.values("person"))
    case = _locked_case(act, also=before_lock.person_hash, accounts=acted_on, closed_too=True)
    done = rows.first()
    if done is None:
        raise NotFound
    if done.name == SUSPEND:
        lift(done)
    else:
        undo = _target_action(case, done.name).undo
        if undo is None:
            raise NotFound
        undo.run(case.target_id)
    done.undone_at = timezone.now()
    done.save(update_fields=["undone_at"])
    done.case = case
    return done


@transaction.atomic
def close_case(act: StaffAct, *, note: str = "") -> Case:
    """Close the case, with a note for colleagues. Raises: NotFound, CaseChanged, StateConflict."""
    case = _locked_case(act)
    case.closing_note = note
    _close(case)
    return case


def _close(case: Case) -> None:
    """The reporters hear whether something was done that was not undone."""
    acted = case.actions.filter(undone_at=None).exists()
    case.status, case.closed_at = Case.CLOSED, timezone.now()
    case.outcome = Case.ACTED if acted else Case.NO_ACTION
    case.save(update_fields=["status", "closed_at", "outcome", "closing_note"])
    tell_reporters(case)


def _target_action(case: Case, name: str) -> ReportAction:
    for action in report_kind(case.target_type).actions:
        if action.name == name:
            return action
    raise NotFound


def _require_no_reporter(case: Case, confirmed: bool) -> None:
    """Nobody is acted on by mistake because they were the one who reported it."""
    if not confirmed and reported_by_person(case):
        raise PersonReportedIt


def _locked_case(
    act: StaffAct,
    *,
    also: str = "",
    accounts: QuerySet[Account] | None = None,
    closed_too: bool = False,
) -> Case:
    """The open case, locked after its person, and with its next version saved. `also` is the hash
    of another person whom the act touches, and `accounts` finds their account.

    Raises: NotFound, CaseChanged, StateConflict (closed).
    """
    cases = Case.objects.filter(pk=act.case_id)
    hashes = {*cases.values_list("person_hash", flat=True), also} - {""}
    lock_people(hashes)
    wanted = Q(pk__in=cases.values("person"))
    if accounts is not None:
        wanted |= Q(pk__in=accounts.values("pk"))
    # Evaluated for its locks: an erasure of the person waits, and a report by them too.
    rows = Account.objects.select_for_update(no_key=True).filter(wanted).order_by("pk")
    list(rows.values_list("pk"))
    case = cases.select_for_update(no_key=True).first()
    if case is None:
        raise NotFound
    if case.version != act.version:
        raise CaseChanged
    if not (case.is_open or closed_too):
        raise StateConflict
    case.version += 1
    case.save(update_fields=["version"])
    return case
