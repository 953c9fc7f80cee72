"""What people tick off: assignments that are done, for themselves or for a child."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

import orjson
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from accounts.callers import Caller
from accounts.errors import TooManyKept
from accounts.models import Account
from accounts.purging import MONTH, Purged, purge_rows
from schoolproxy.cache import CachedAnswer, answer_through_cache
from schoolproxy.limits import DONE_KEPT_MONTHS, LONGEST_WAY_AHEAD, MAX_DONE
from schoolproxy.models import DoneAssignment
from schoolproxy.reads import ChildChoice, Fields, SchoolRead
from schoolproxy.services.children import chosen_child
from schoolproxy.services.exams import exam_end
from schoolproxy.services.missing import day_of
from upstream.calls.assignments import fetch_assignment
from upstream.calls.json_values import whole_number
from upstream.errors import NotForThisRole, UpstreamNotFound
from upstream.records import ChosenChild, ProvenSession
from upstream.shared_client import client

Row = dict[str, Any]
_DATABASE_AWAY = (OperationalError, InterfaceError)


def set_done(*, caller: Caller, choice: ChildChoice, number: int, done: bool) -> ChosenChild | None:
    """Tick an assignment off, or take that back. Returns the child of a guardian that it is about.

    Upstream is asked whether the caller may see the assignment, unless it is ticked off already.
    Raises: TooManyKept, and as `answer_through_cache`: UpstreamNotFound where they may not.
    """
    child = chosen_child(caller, choice)
    child_id = child.id if child else 0
    own = DoneAssignment.objects.filter(account=caller.account_id, child_id=child_id)
    if own.filter(assignment_id=number).exists():
        if not done:
            own.filter(assignment_id=number).delete()
        return child
    # The child that was chosen, should the default change meanwhile.
    same = ChildChoice(child.id, child.org_id) if child else choice
    answer = answer_through_cache(caller, _due_read(number), same, bypass_cache=False)
    if done:
        due = day_of(orjson.loads(answer.body)["endDate"])
        _add(caller.account_id, child_id, number, due_on=_kept_by(due, timezone.localdate()))
    return child


def _due_read(number: int) -> SchoolRead:
    """When an assignment is due, mostly in one call: a list can be ticked off without opening
    each."""

    def fetch(web: ProvenSession) -> Fields:
        return {"endDate": _end_date(web, number)}

    return SchoolRead(f"assignment-due-{number}", fetch)


def _end_date(web: ProvenSession, number: int) -> object:
    """An exam may have no page of its own. Raises: UpstreamNotFound for neither."""
    try:
        return fetch_assignment(client(), web=web, assignment=number).get("endDate")
    except UpstreamNotFound:
        if web.role != "teacher":
            with suppress(NotForThisRole, UpstreamNotFound):
                end = exam_end(web, number)
                if end is not None:
                    return end
        raise


def _kept_by(due: date | None, today: date) -> date:
    """The day from which a tick is kept: when it is due, or today where upstream does not say."""
    return min(due or today, today + timedelta(days=LONGEST_WAY_AHEAD))


@transaction.atomic
def _add(account_id: int, child_id: int, number: int, *, due_on: date) -> None:
    # Locked, so that two requests at once cannot both count one less than the limit.
    Account.objects.select_for_update(no_key=True).get(pk=account_id)
    own = DoneAssignment.objects.filter(account=account_id)
    if own.filter(child_id=child_id, assignment_id=number).exists():
        return
    if own.count() >= MAX_DONE:
        raise TooManyKept
    own.create(account_id=account_id, child_id=child_id, assignment_id=number, due_on=due_on)


def with_done(
    caller: Caller, answer: CachedAnswer, assignments_in: Callable[[Fields], Iterable[Row]]
) -> CachedAnswer:
    """The answer with `done` in each of its assignments: None while the database is away, which
    cached answers do not need. It is not cached with them, so a tick is there at once on all
    devices."""
    fields: Fields = orjson.loads(answer.body)
    rows = list(assignments_in(fields))
    try:
        ticked = _ticked(caller.account_id, int(fields.get("child", {}).get("id", 0)))
    except _DATABASE_AWAY:
        ticked = None
    for row in rows:
        row["done"] = None if ticked is None else _number_of(row) in ticked
    return answer._replace(body=orjson.dumps(fields))


def _ticked(account_id: int, child_id: int) -> set[int]:
    own = DoneAssignment.objects.filter(account=account_id, child_id=child_id)
    return set(own.values_list("assignment_id", flat=True))


def _number_of(row: Row) -> int | None:
    number = whole_number(row.get("assignmentId"))
    return whole_number(row.get("id")) if number is None else number


def drop_done(account_id: int) -> None:
    DoneAssignment.objects.filter(account=account_id).delete()


def purge_old_done(dry_run: bool = False) -> Purged:
    """Delete the ticks of assignments that were due more than thirteen months ago."""
    oldest = timezone.localdate() - DONE_KEPT_MONTHS * MONTH
    old = DoneAssignment.objects.filter(due_on__lt=oldest)
    return purge_rows(old, "ticks of old assignments", dry_run=dry_run)
