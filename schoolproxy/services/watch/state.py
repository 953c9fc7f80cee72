"""What the watch knows of one person's school: what was seen twice, and what only once.

Pure: a `WatchState` is read from its sealed bytes, told of answers, and written again. A change
counts when a second look confirms it, so that nobody is told of something that comes and goes. The
first look at a week is what was there when the person opted in: every later change is told.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final

import orjson

from schoolproxy.services.watch.compare import Change, compare
from schoolproxy.services.watch.lessons import ReadWeek, WatchedLesson
from schoolproxy.services.watch.lists import (
    LIST_NAMES,
    ListState,
    Part,
    RowChange,
    list_values,
    read_list_values,
)
from schoolproxy.services.watch.moments import CONFIRM_SECONDS, EMPTY_SECONDS, Moment

WINDOW_DAYS: Final = 14
# A first look that found nothing, and lessons this soon after it: it was a failure of the school.
_DOUBT_SECONDS: Final = 60 * 60


@dataclass(slots=True)
class WeekState:
    """`lessons` were first seen at `seen_at`. They are not `sure` where that look may have missed
    some: it found the week empty, or `unreadable` rows. `pending` are changes that were seen once:
    when, by digest."""

    lessons: tuple[WatchedLesson, ...]
    seen_at: float
    sure: bool = False
    unreadable: int = 0
    empty: bool = False
    pending: dict[str, float] = field(default_factory=dict)

    def missed(self, seen: ReadWeek, moment: Moment) -> bool:
        """Whether the first look has missed lessons that the school had already."""
        if self.sure:
            return False
        if self.unreadable > seen.unreadable:
            return True
        recent = moment.at - self.seen_at < _DOUBT_SECONDS
        return recent and not self.lessons and bool(seen.lessons)


@dataclass(slots=True)
class WatchState:
    weeks: dict[str, WeekState] = field(default_factory=dict)
    lists: dict[Part, ListState] = field(
        default_factory=lambda: {name: ListState() for name in LIST_NAMES}
    )
    # The lists that the school does not have, and when its menu was read (Unix seconds).
    off: list[Part] = field(default_factory=list)
    menu_at: float = 0.0
    # Which questions besides the lessons are next, and when all were asked (Unix seconds).
    turn: int = 0
    asked_at: float = 0.0
    child_name: str = ""

    # --- Lessons ---

    def see_week(self, key: str, seen: ReadWeek, moment: Moment) -> list[Change]:
        """The changes of a week that count now. `key` is from `week_key`."""
        known = self.weeks.get(key)
        if known is None or known.missed(seen, moment):
            self.weeks[key] = _first_look(seen, moment)
            return []
        if not known.lessons and not seen.lessons:
            known.sure = known.sure or moment.confirms(known.seen_at, empty=True)
            known.pending, known.empty = {}, not known.sure
            return []
        known.sure = True
        if seen.unreadable > known.unreadable:
            return []  # a lesson that cannot be read is not a lesson that is cancelled
        today = moment.today.isoformat()
        comparison = compare(_from(today, known.lessons), _from(today, seen.lessons))
        empty = bool(known.lessons) and not seen.lessons
        counted, pending = moment.confirmed(
            comparison.changes(), known.pending, lambda change: change.digest, empty=empty
        )
        known.lessons = comparison.merged({change.digest for change in counted})
        known.pending, known.unreadable, known.empty = pending, seen.unreadable, empty
        last = (moment.today + timedelta(days=WINDOW_DAYS)).isoformat()
        return [change for change in counted if change.day < last]

    def forget_past(self, today: date) -> None:
        """Drop the weeks that are over."""
        year, week, _ = today.isocalendar()
        this = week_key(year, week)
        self.weeks = {key: each for key, each in self.weeks.items() if key >= this}
        found = self.lists["assignments"]
        found.sections = {key: at for key, at in found.sections.items() if key >= this}
        found.pending = {key: each for key, each in found.pending.items() if key >= this}

    def keep_only(self, asked: Iterable[tuple[Part, str]]) -> None:
        """Forget all but these sections and weeks. Of a list without any, its rows, too: whoever
        wants it again begins with a first look."""
        sections: defaultdict[Part, set[str]] = defaultdict(set)
        for part, key in asked:
            sections[part].add(key)
        self.weeks = {key: each for key, each in self.weeks.items() if key in sections["lessons"]}
        for name in LIST_NAMES:
            kept = sections[name]
            found = self.lists[name] = self.lists[name] if kept else ListState()
            found.sections = {key: at for key, at in found.sections.items() if key in kept}
            found.pending = {key: each for key, each in found.pending.items() if key in kept}

    def tells_result(self, number: str) -> bool:
        """Whether to tell of a result, which two lists have: once, whichever has it first."""
        rows = self.lists["results"].rows
        _, was_told = rows.get(number, ("", False))
        rows[number] = ("", True)
        return not was_told

    def told_work(self, change: RowChange) -> RowChange | None:
        """What to tell of an exam or assignment, which two lists may have: each day of it once,
        whichever has it first. What is new in a week, and was known on another day, has moved."""
        rows, row = self.lists["exams"].rows, change.row
        days, was_told = rows.get(row.id, ("", False))
        moved = bool(days) and row.day not in days.split("/")
        rows[row.id] = (row.day if moved or not days else days, True)
        if change.kind == "new" and moved:
            return RowChange("changed", row)
        return None if change.kind == "new" and was_told else change

    def switch_off(self, names: Iterable[Part]) -> None:
        """The school has these lists no longer: what was seen once in them is not looked for."""
        for name in names:
            found = self.lists[name]
            found.pending.clear()
            found.sections = {key: at for key, at in found.sections.items() if at is None}
        self.off = sorted({*self.off, *names})

    # --- What has to be seen again ---

    def open_weeks(self) -> set[str]:
        """The weeks in which something was seen once."""
        return {key for key, week in self.weeks.items() if week.pending or not week.sure}

    def is_open(self, name: Part, section: str) -> bool:
        """Whether something was seen once in this section of a list."""
        found = self.lists[name]
        return bool(found.pending.get(section)) or found.sections.get(section) is not None

    def confirm_at(self) -> float | None:
        """When what was seen once may count (Unix seconds); None: there is nothing."""
        times: list[float] = []
        for week in self.weeks.values():
            wait = EMPTY_SECONDS if week.empty else CONFIRM_SECONDS
            if not week.sure:
                times.append(week.seen_at + wait)
            times += [since + wait for since in week.pending.values()]
        for found in self.lists.values():
            times += [
                at + CONFIRM_SECONDS for each in found.pending.values() for at in each.values()
            ]
            times += [at + EMPTY_SECONDS for at in found.sections.values() if at is not None]
        return min(times, default=None)

    # --- JSON ---

    def to_json(self) -> str:
        return orjson.dumps(
            {
                "weeks": {key: _week_values(week) for key, week in self.weeks.items()},
                **{name: list_values(found) for name, found in self.lists.items()},
                "off": self.off,
                "menuAt": self.menu_at,
                "turn": self.turn,
                "askedAt": self.asked_at,
                "child": self.child_name,
            }
        ).decode()

    @classmethod
    def from_json(cls, content: str | None) -> "WatchState":
        if content is None:
            return cls()
        values = orjson.loads(content)
        return cls(
            weeks={key: _read_week_values(each) for key, each in values["weeks"].items()},
            # What the version before wrote has fewer lists.
            lists={name: read_list_values(values.get(name, [{}])) for name in LIST_NAMES},
            off=values.get("off", []),
            menu_at=values.get("menuAt", 0.0),
            turn=values["turn"],
            asked_at=values["askedAt"],
            child_name=values["child"],
        )


def week_key(year: int, week: int) -> str:
    return f"{year:04}-{week:02}"


def weeks_of_window(today: date) -> list[tuple[int, int]]:
    """The ISO years and weeks that the next 14 days touch."""
    days = (today + timedelta(days=number) for number in range(WINDOW_DAYS))
    return sorted({day.isocalendar()[:2] for day in days})


def _from(day: str, lessons: Iterable[WatchedLesson]) -> list[WatchedLesson]:
    return [lesson for lesson in lessons if lesson.day >= day]


def _first_look(seen: ReadWeek, moment: Moment) -> WeekState:
    sure = bool(seen.lessons) and not seen.unreadable
    return WeekState(seen.lessons, moment.at, sure, seen.unreadable, empty=not seen.lessons)


def _week_values(week: WeekState) -> list[Any]:
    lessons = [list(lesson) for lesson in week.lessons]
    return [lessons, week.seen_at, week.sure, week.unreadable, week.empty, week.pending]


def _read_week_values(values: list[Any]) -> WeekState:
    lessons, *rest = values
    return WeekState(tuple(WatchedLesson(*each) for each in lessons), *rest)
