"""Writing down what was seen, and telling what counts: in one transaction, so neither happens
without the other."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.encryption import values_for_update
from notifications.services.notify import notify
from notifications.services.settings import delivery_of, kinds_not_off
from schoolproxy import limits
from schoolproxy.models import ScheduleChange, Watch
from schoolproxy.models.watch import OK
from schoolproxy.services.watch import texts
from schoolproxy.services.watch.compare import Change
from schoolproxy.services.watch.lessons import read_week
from schoolproxy.services.watch.lists import Part, RowChange, see_list
from schoolproxy.services.watch.moments import Moment
from schoolproxy.services.watch.questions import Answer, all_questions
from schoolproxy.services.watch.state import WatchState
from schoolproxy.services.watch.times import next_look
from schoolproxy.services.watch.watched_lists import LISTS
from stats import counters

_TRIES = 5


@dataclass(slots=True)
class Findings:
    """What counts now: changes of the schedule, and of lists by the kind and topic of the
    notification."""

    changes: list[Change] = field(default_factory=list)
    rows: defaultdict[tuple[str, str], list[RowChange]] = field(
        default_factory=lambda: defaultdict(list)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """The answers of one look or read, and by which login and about whom they were. `off` are lists
    that the school does not have: all of them, if its menu was asked."""

    answers: Sequence[Answer]
    session_id: str
    off: Sequence[Part] = ()
    asked_menu: bool = False
    child_name: str = ""
    by_app: bool = False
    regular: bool = False


def wanted_kinds(account_id: int) -> set[str]:
    """The kinds of notifications about the school that a person has not switched off."""
    return kinds_not_off(account_id, [kind.name for kind in texts.KINDS])


def record(watch_id: int, observed: Observation) -> None:
    """Compare the answers with what is known, keep them, and tell what counts. Start again when
    somebody else has changed the state meanwhile."""
    for _ in range(_TRIES):
        watch = Watch.objects.filter(pk=watch_id).first()
        if watch is None or _record(watch, observed):
            return


@transaction.atomic
def _record(watch: Watch, observed: Observation) -> bool:
    now = timezone.now()
    state = WatchState.from_json(watch.read_state())
    awaited = state.confirm_at()
    findings = _compare(state, observed, now.timestamp())
    state.child_name = observed.child_name or state.child_name
    if observed.asked_menu:
        state.off, state.menu_at = [], now.timestamp()
    state.switch_off(observed.off)
    if observed.regular:
        state.asked_at = now.timestamp()
        state.turn += 1
    asked = all_questions(wanted_kinds(watch.account_id), timezone.localdate(now))
    state.keep_only((each.part, each.key) for each in asked)
    # A look that could not settle what it was to confirm is not repeated at once.
    in_vain = watch.confirms and not observed.by_app and state.confirm_at() == awaited
    next_at, confirms = next_look(state, now, may_confirm=not in_vain)
    watch.state = state.to_json()
    changed: dict[str, Any] = values_for_update(watch, "state") | {
        "version": F("version") + 1,
        "status": OK,
        "next_look_at": next_at,
        "confirms": confirms,
        "session_id": observed.session_id,
    }
    if not observed.by_app:
        changed["claimed_until"] = None
    if observed.answers:
        changed["last_look_at"] = now
    if not Watch.objects.filter(pk=watch.pk, version=watch.version).update(**changed):
        return False
    _tell(watch, findings, state.child_name)
    return True


def _compare(state: WatchState, observed: Observation, at: float) -> Findings:
    today = timezone.localdate()
    moment = Moment(at, today, observed.by_app)
    state.forget_past(today)
    findings = Findings()
    for answer in observed.answers:
        question = answer.question
        if question.part == "lessons":
            week = read_week(answer.rows, question.year, question.week)
            if week is not None:
                findings.changes += state.see_week(question.key, week, moment)
        else:
            for change in _row_changes(state, answer, moment):
                reported = _told(state, question.part, change)
                if reported is not None:
                    findings.rows[_kind_of(question.part, reported)].append(reported)
    return findings


def _row_changes(state: WatchState, answer: Answer, moment: Moment) -> list[RowChange]:
    part, watched = answer.question.part, LISTS[answer.question.part]
    if watched.selects and not answer.rows:
        return []  # the school failed, or has nothing yet
    rows = watched.read(answer.rows)
    known, section = state.lists[part], answer.question.key
    return see_list(known, section, rows, moment, selected=watched.selects)


def _told(state: WatchState, part: Part, change: RowChange) -> RowChange | None:
    """What to tell of a change; None for what another list has told."""
    if "result" in (change.kind, LISTS[part].kind):
        return change if state.tells_result(change.row.id) else None
    return state.told_work(change) if part in ("assignments", "exams") else change


def _kind_of(part: Part, change: RowChange) -> tuple[str, str]:
    """The kind and topic of the notification."""
    watched = LISTS[part]
    if "result" in (change.kind, watched.kind):
        return "result", ""
    moved = part == "exams" and change.kind == "changed"
    return watched.kind, "moved" if moved else watched.topic


def _tell(watch: Watch, findings: Findings, child_name: str) -> None:
    child = {"id": str(watch.child_id), "name": child_name} if watch.child_id else None
    account_id = watch.account_id
    if findings.changes and delivery_of(account_id, "schedule") != "off":
        changes = [change.fields() for change in findings.changes]
        _keep(watch, changes)
        details = {"changes": changes[: limits.CHANGES_TOLD], "count": len(changes), "child": child}
        notify(account_id, "schedule", details=details)
        counters.count("school_change", times=len(changes))
    for (kind, topic), rows in findings.rows.items():
        items = [_item(row, with_day=topic in ("exams", "moved")) for row in rows]
        details = {"items": items[: limits.CHANGES_TOLD], "count": len(items), "child": child}
        details |= {"new": all(row.kind == "new" for row in rows), "topic": topic}
        notify(account_id, kind, details=details)
        counters.count("school_change", times=len(items))


def _item(change: RowChange, *, with_day: bool) -> dict[str, str]:
    row = change.row
    more = {"from": row.sender, "day": row.day if with_day else ""}
    return {"id": row.id, "title": row.title} | {
        name: value for name, value in more.items() if value
    }


def _keep(watch: Watch, changes: list[dict[str, Any]]) -> None:
    at = timezone.now()
    rows: list[ScheduleChange] = []
    for fields in changes[: limits.CHANGES_SHOWN]:
        row = ScheduleChange(account_id=watch.account_id, child_id=watch.child_id, at=at)
        row.set_change(fields)
        rows.append(row)
        at += timedelta(microseconds=1)  # in their order
    ScheduleChange.objects.bulk_create(rows)
