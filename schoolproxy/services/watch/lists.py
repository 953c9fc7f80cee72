"""What the watch knows of a list of the school: enough to see that a row is new or has changed.

`watched_lists` names the lists.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import blake2b
from typing import Any, Final, Literal, NamedTuple

from django.utils import timezone

from schoolproxy.services.watch.lessons import text_of
from schoolproxy.services.watch.moments import Moment

Part = Literal["lessons", "news", "inbox", "assignments", "results", "exams", "missing"]
LIST_NAMES: Final[tuple[Part, ...]] = (
    *("news", "inbox", "assignments", "results", "exams", "missing"),
)
# Rows that are read of one answer, and rows that are kept.
MAX_ROWS: Final = 300
KEPT_ROWS: Final = 600
# The same of exams and missing work: as some are over, others must not look new.
MAX_SELECTED: Final = 2_000
KEPT_SELECTED: Final = 4_000
# A first look at an empty list, and rows this soon after it: it was a failure of the school.
_DOUBT_SECONDS: Final = 60 * 60


class WatchedRow(NamedTuple):
    """An assignment, a result, a news item or a message. A change of it is another `digest`;
    `assessed` says that upstream reports its assessment as published. `sent` is `YYYY-MM-DD`,
    perhaps with `THH:MM`, in a list whose older rows appear when others are deleted; `day` is when
    it takes place or is due; `is_near`: the list of its week tells of changes."""

    id: str
    title: str
    digest: str = ""
    assessed: bool = False
    sender: str = ""
    sent: str = ""
    day: str = ""
    is_near: bool = False


def read_assignments(rows: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """The rows of a week that have an id and a title.

    A change is another title or time: the rest of a row is prose in the language of the session.
    Its assessment is there when the report of the result is published, whatever it says.
    """
    found: list[WatchedRow] = []
    for row in rows:
        number, title = text_of(row.get("id")), text_of(row.get("title"))
        if number and title:
            due = row.get("sortDate")
            due = due if isinstance(due, str) else ""
            assessed = row.get("resultReportStatus") == "PUBLISHED"
            digest = _digest(title, due)
            found.append(WatchedRow(number, title, digest, assessed, day=due[:10]))
    return found[:MAX_ROWS]


def read_news(items: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """The news by id, or by title where an item has no id."""
    found: list[WatchedRow] = []
    for item in items:
        title = text_of(item.get("title"))
        if title:
            number = text_of(item.get("id"))
            found.append(WatchedRow(number or f"title:{_digest(title)}", title))
    return found[:MAX_ROWS]


def read_published(results: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """The results by the number of the assignment. They say that there is one, and no more."""
    return [
        WatchedRow(
            text_of(each.get("assignmentId")),
            text_of(each.get("title")) or text_of(each.get("subject")),
        )
        for each in results
    ][:MAX_ROWS]


def read_exams(exams: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """The exams that have a number and are not over, the next ones first. A change is another day.
    The lists of this week and the next tell of it, too.

    Those of the same title and time are one, with the number of the first: a look does not know the
    subjects, and an exam of several groups has a number for each.
    """
    today = timezone.localdate()
    far = (today + timedelta(days=14 - today.weekday())).isoformat()
    by_exam: dict[tuple[str, str, str | None], WatchedRow] = {}
    for exam in exams:
        day, end = exam["start"][:10], (exam["end"] or exam["start"])[:10]
        if exam["id"] and day >= today.isoformat():
            days = day if day == end else f"{day}/{end}"
            title = text_of(exam["title"])
            row = WatchedRow(exam["id"], title, days, day=day, is_near=day < far)
            by_exam.setdefault((title, exam["start"], exam["end"]), row)
    return list(by_exam.values())[:MAX_SELECTED]


def read_missing(missing: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """What was not handed in, by the number of the assignment."""
    rows = [WatchedRow(row["assignmentId"], text_of(row["title"])) for row in missing]
    return rows[:MAX_SELECTED]


def read_messages(messages: Iterable[dict[str, Any]]) -> list[WatchedRow]:
    """The messages of the inbox by id. Many have no subject."""
    return [
        WatchedRow(
            text_of(each.get("id")),
            text_of(each.get("subject")),
            sender=text_of(each["from"]["name"]),
            sent=each["date"] or "",
        )
        for each in messages
    ][:MAX_ROWS]


def _digest(*parts: str) -> str:
    text = "\0".join(parts).encode(errors="replace")
    return blake2b(text, digest_size=12).hexdigest()


@dataclass(slots=True)
class ListState:
    """The rows that are known, by id: their digest, and whether they are assessed (in the list of
    results: whether the result was told, in that of exams: whether it was told as new); `sections`
    are the weeks whose list is known (a list without weeks has one), with the time of an empty list
    that was seen once. `pending` is as for weeks, by section. `newest` is when the newest row of
    the first look was sent."""

    rows: dict[str, tuple[str, bool]] = field(default_factory=dict)
    sections: dict[str, float | None] = field(default_factory=dict)
    pending: dict[str, dict[str, float]] = field(default_factory=dict)
    newest: str = ""


@dataclass(frozen=True, slots=True)
class RowChange:
    """`kind`: `new`, `changed`, or `result` (its assessment is published)."""

    kind: str
    row: WatchedRow

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.row.id}:{self.row.digest}"


def see_list(
    known: ListState,
    section: str,
    rows: list[WatchedRow],
    moment: Moment,
    *,
    selected: bool = False,
) -> list[RowChange]:
    """The changes of a list that count now. Rows that are `selected` from an answer that has some
    are all there is, also where they are none."""
    if selected and known.sections.get(section, 0.0) is not None:
        known.sections[section] = None
        _know(known, rows, moment)
        return []
    if not _is_known(known, section, rows, moment):
        return []
    changes = [change for row in rows for change in _row_changes(known, row)]
    counted, known.pending[section] = moment.confirmed(
        changes, known.pending.get(section, {}), lambda change: change.name
    )
    for change in counted:
        digest, assessed = known.rows.pop(change.row.id, (change.row.digest, False))
        if change.kind != "result":
            digest = change.row.digest
        known.rows[change.row.id] = (digest, assessed or change.kind == "result")
    known.rows = dict(list(known.rows.items())[-(KEPT_SELECTED if selected else KEPT_ROWS) :])
    return counted


def _is_known(known: ListState, section: str, rows: list[WatchedRow], moment: Moment) -> bool:
    """Whether the list was seen before; else its rows are known from now on. An empty one was seen
    when it is still empty later, or when nobody looked for an hour."""
    seen = section in known.sections
    empty_since = known.sections.get(section)
    if seen and empty_since is None:
        return True
    if rows:
        known.sections[section] = None
        if empty_since is not None and moment.at - empty_since >= _DOUBT_SECONDS:
            return True
        _know(known, rows, moment)
    elif empty_since is None:
        known.sections[section] = moment.at
    elif moment.confirms(empty_since, empty=True):
        known.sections[section] = None
    return False


def _know(known: ListState, rows: list[WatchedRow], moment: Moment) -> None:
    for row in rows:
        known.rows.setdefault(row.id, (row.digest, row.assessed))
    today = moment.today.isoformat()
    past = (row.sent for row in rows if row.sent[:10] <= today)
    known.newest = max(past, default="")


def _row_changes(known: ListState, row: WatchedRow) -> list[RowChange]:
    found = known.rows.get(row.id)
    if found is None:
        return [] if _is_older(row.sent, known.newest) else [RowChange("new", row)]
    digest, assessed = found
    if not digest:  # what the version before wrote has none for an exam
        known.rows[row.id] = (row.digest, assessed)
    is_changed = digest and digest != row.digest and not row.is_near
    changes = [RowChange("changed", row)] if is_changed else []
    return [*changes, RowChange("result", row)] if row.assessed and not assessed else changes


def _is_older(sent: str, newest: str) -> bool:
    """Whether a row was there before the first look, on a later page. One of them may lack the time
    of day."""
    length = min(len(sent), len(newest))
    return sent[:length] < newest[:length]


def list_values(found: ListState) -> list[Any]:
    values: list[Any] = [found.rows, found.sections, found.pending]
    return [*values, found.newest] if found.newest else values


def read_list_values(values: list[Any]) -> ListState:
    rows, *rest = values
    return ListState({key: (each[0], each[1]) for key, each in rows.items()}, *rest)
