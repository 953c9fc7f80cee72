"""Stores what a look saw, and notifies of the changes that count: in one transaction, so that
neither happens without the other."""

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
from schoolproxy.services.watch.confirmation import AnswerTime
from schoolproxy.services.watch.lessons import Change, read_week
from schoolproxy.services.watch.lists import ListName, RowChange
from schoolproxy.services.watch.questions import Answer, all_questions
from schoolproxy.services.watch.state import WatchState
from schoolproxy.services.watch.times import next_look
from schoolproxy.services.watch.watched_lists import LISTS
from stats import counters

_TRIES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """The answers of one look, or of one read of the person's own app (`by_app`), with which login
    and about whom. `unavailable` are lists that the school does not have: all of them, if the look
    `asked_menu`. `regular`: the look did more than confirm a change."""

    answers: Sequence[Answer]
    session_id: str
    unavailable: Sequence[ListName] = ()
    asked_menu: bool = False
    child_name: str = ""
    by_app: bool = False
    regular: bool = False


@dataclass(slots=True)
class ConfirmedChanges:
    """What to notify of: changes of lessons, and those of rows by the kind and topic of the
    notification."""

    lessons: list[Change] = field(default_factory=list)
    rows: defaultdict[tuple[str, str], list[RowChange]] = field(
        default_factory=lambda: defaultdict(list)
    )


def wanted_kinds(account_id: int) -> set[str]:
    """The kinds of notifications about the school that a person has not switched off."""
    return kinds_not_off(account_id, [kind.name for kind in texts.KINDS])


def record(watch_id: int, observed: Observation) -> None:
    """Compare the answers with what is known, store them, and notify of what counts. Starts again
    when another process has changed the state meanwhile."""
    for _ in range(_TRIES):
        watch = Watch.objects.filter(pk=watch_id).first()
        if watch is None or _record(watch, observed):
            return


@transaction.atomic
def _record(watch: Watch, observed: Observation) -> bool:
    """False, and nothing happened, when the state of the watch has changed."""
    now = timezone.now()
    state = WatchState.from_json(watch.read_state())
    confirm_at = state.confirm_at()
    confirmed = _update(state, observed, now.timestamp())
    wanted = all_questions(wanted_kinds(watch.account_id), timezone.localdate(now))
    state.keep_only((question.source, question.key) for question in wanted)
    # A look that could not settle what it was to confirm is not repeated at once.
    in_vain = watch.confirms and not observed.by_app and state.confirm_at() == confirm_at
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
    _notify(watch, confirmed, state.child_name)
    return True


def _update(state: WatchState, observed: Observation, at: float) -> ConfirmedChanges:
    """Update the state with what was observed at this time (Unix seconds)."""
    today = timezone.localdate()
    time = AnswerTime(at, today, observed.by_app)
    state.forget_past(today)
    confirmed = ConfirmedChanges()
    for answer in observed.answers:
        question = answer.question
        if question.source == "lessons":
            week = read_week(answer.rows, question.year, question.week)
            if week is not None:
                confirmed.lessons += state.update_week(question.key, week, time)
        else:
            _update_list(state, question.source, answer, time, confirmed)
    state.child_name = observed.child_name or state.child_name
    if observed.asked_menu:
        state.unavailable, state.menu_at = [], at
    state.set_unavailable(observed.unavailable)
    if observed.regular:
        state.regular_at = at
        state.turn += 1
    return confirmed


def _update_list(
    state: WatchState,
    name: ListName,
    answer: Answer,
    time: AnswerTime,
    confirmed: ConfirmedChanges,
) -> None:
    watched = LISTS[name]
    if watched.selects and not answer.rows:
        return  # the school failed, or has nothing yet
    rows = watched.read(answer.rows)
    changes = state.lists[name].update(answer.question.key, rows, time, selected=watched.selects)
    for change in changes:
        kind = "result" if change.kind == "result" else watched.kind
        reported = _without_duplicates(state, name, kind, change)
        if reported is not None:
            confirmed.rows[kind, _topic_of(name, kind, reported)].append(reported)


def _without_duplicates(
    state: WatchState, name: ListName, kind: str, change: RowChange
) -> RowChange | None:
    """What to notify of; None for what another list has reported."""
    if kind == "result":
        return state.result_to_tell(change)
    return state.work_to_tell(change) if name in ("assignments", "exams") else change


def _topic_of(name: ListName, kind: str, change: RowChange) -> str:
    """The topic of the notification: an exam on another day has one of its own."""
    if kind == "result":
        return ""
    return "moved" if name == "exams" and change.kind == "changed" else LISTS[name].topic


def _notify(watch: Watch, confirmed: ConfirmedChanges, child_name: str) -> None:
    child = {"id": str(watch.child_id), "name": child_name} if watch.child_id else None
    account_id = watch.account_id
    if confirmed.lessons and delivery_of(account_id, "schedule") != "off":
        changes = [change.fields() for change in confirmed.lessons]
        _store_changes(watch, changes)
        details = {"changes": changes[: limits.CHANGES_TOLD], "count": len(changes), "child": child}
        notify(account_id, "schedule", details=details)
        counters.count("school_change", times=len(changes))
    for (kind, topic), rows in confirmed.rows.items():
        items = [_item(row, with_day=topic in ("exams", "moved")) for row in rows]
        details = {"items": items[: limits.CHANGES_TOLD], "count": len(items), "child": child}
        details |= {"new": all(row.kind == "new" for row in rows), "topic": topic}
        notify(account_id, kind, details=details)
        counters.count("school_change", times=len(items))


def _item(change: RowChange, *, with_day: bool) -> dict[str, str]:
    row = change.row
    optional = {"from": row.sender, "day": row.day if with_day else ""}
    return {"id": row.id, "title": row.title} | {
        name: value for name, value in optional.items() if value
    }


def _store_changes(watch: Watch, changes: list[dict[str, Any]]) -> None:
    """For `/api/schedule/changes`."""
    at = timezone.now()
    rows: list[ScheduleChange] = []
    for fields in changes[: limits.CHANGES_SHOWN]:
        row = ScheduleChange(account_id=watch.account_id, child_id=watch.child_id, at=at)
        row.set_change(fields)
        rows.append(row)
        at += timedelta(microseconds=1)  # in their order
    ScheduleChange.objects.bulk_create(rows)
