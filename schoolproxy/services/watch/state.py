"""What the watch knows of one person's school: what was seen twice, and what only once.

Pure: a `WatchState` is read from its JSON, updated with answers, and written again. A change counts
when a later answer confirms it, so that nobody is told of what comes and goes. The first look at a
week is what was there when the person opted in: every later change is told.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final

import orjson

from schoolproxy.services.watch.confirmation import (
    CONFIRM_SECONDS,
    DOUBT_SECONDS,
    EMPTY_SECONDS,
    AnswerTime,
)
from schoolproxy.services.watch.lessons import Change, ReadWeek, WatchedLesson, compare
from schoolproxy.services.watch.lists import (
    LIST_NAMES,
    KnownRow,
    ListName,
    ListState,
    RowChange,
    Source,
)

WINDOW_DAYS: Final = 14
Week = tuple[int, int]


@dataclass(slots=True)
class WeekState:
    """What is known of the lessons of one week.

    `first_seen` is the time of the first look. `complete` is false where that look may have missed
    lessons: it saw none, or `unreadable` rows. `is_empty`: the last answer had no lessons, which
    takes longer to confirm. `unconfirmed` has the changes that were seen once: by digest, when.
    Times are Unix seconds.
    """

    lessons: tuple[WatchedLesson, ...]
    first_seen: float
    complete: bool = False
    unreadable: int = 0
    is_empty: bool = False
    unconfirmed: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of_first_look(cls, answer: ReadWeek, time: AnswerTime) -> "WeekState":
        complete = bool(answer.lessons) and not answer.unreadable
        is_empty = not answer.lessons
        return cls(answer.lessons, time.at, complete, answer.unreadable, is_empty)

    def missed_lessons(self, answer: ReadWeek, time: AnswerTime) -> bool:
        """Whether the first look has missed lessons of this answer that were there already."""
        if self.complete:
            return False
        if self.unreadable > answer.unreadable:
            return True
        is_soon = time.at - self.first_seen < DOUBT_SECONDS
        return is_soon and not self.lessons and bool(answer.lessons)

    def update(self, answer: ReadWeek, time: AnswerTime) -> list[Change]:
        """The changes that count now; from then on they are known."""
        if not self.lessons and not answer.lessons:
            self.complete = self.complete or time.confirms(self.first_seen, empty=True)
            self.unconfirmed, self.is_empty = {}, not self.complete
            return []
        self.complete = True
        if answer.unreadable > self.unreadable:
            return []  # a lesson that cannot be read is not a lesson that is cancelled
        today = time.today.isoformat()
        comparison = compare(_from_day(today, self.lessons), _from_day(today, answer.lessons))
        is_empty = bool(self.lessons) and not answer.lessons
        confirmed, self.unconfirmed = time.split_confirmed(
            comparison.changes(), self.unconfirmed, lambda change: change.digest, empty=is_empty
        )
        self.lessons = comparison.merged({change.digest for change in confirmed})
        self.unreadable, self.is_empty = answer.unreadable, is_empty
        end = (time.today + timedelta(days=WINDOW_DAYS)).isoformat()
        return [change for change in confirmed if change.day < end]

    def confirmation_times(self) -> list[float]:
        """When what was seen once may count."""
        first_seen = list(self.unconfirmed.values())
        if not self.complete:
            first_seen.append(self.first_seen)
        wait = EMPTY_SECONDS if self.is_empty else CONFIRM_SECONDS
        return [at + wait for at in first_seen]

    def to_values(self) -> list[Any]:
        lessons = [list(lesson) for lesson in self.lessons]
        values: list[Any] = [lessons, self.first_seen, self.complete, self.unreadable]
        return [*values, self.is_empty, self.unconfirmed]

    @classmethod
    def from_values(cls, values: list[Any]) -> "WeekState":
        lessons, *rest = values
        return cls(tuple(WatchedLesson(*lesson) for lesson in lessons), *rest)


@dataclass(slots=True)
class WatchState:
    """`weeks` are by `week_key`. `unavailable` are the lists that the school does not have, and
    `menu_at` is when its menu was last read. `turn` says which list is asked for next, and
    `regular_at` is the last look that did more than confirm. Times are Unix seconds."""

    weeks: dict[str, WeekState] = field(default_factory=dict)
    lists: dict[ListName, ListState] = field(
        default_factory=lambda: {name: ListState() for name in LIST_NAMES}
    )
    unavailable: list[ListName] = field(default_factory=list)
    menu_at: float = 0.0
    turn: int = 0
    regular_at: float = 0.0
    child_name: str = ""

    def update_week(self, key: str, answer: ReadWeek, time: AnswerTime) -> list[Change]:
        """The changes of a week that count now; from then on they are known."""
        week = self.weeks.get(key)
        if week is None or week.missed_lessons(answer, time):
            self.weeks[key] = WeekState.of_first_look(answer, time)
            return []
        return week.update(answer, time)

    # --- What two lists have is told once, whichever has it first. ---

    def result_to_tell(self, change: RowChange) -> RowChange | None:
        """The result, unless it was told: both the results and the assignments have it."""
        rows, number = self.lists["results"].rows, change.row.id
        was_told = rows.get(number, KnownRow()).notified
        rows[number] = KnownRow(notified=True)
        return None if was_told else change

    def work_to_tell(self, change: RowChange) -> RowChange | None:
        """What to tell of an exam or assignment, which the exams and the assignments may have. What
        is new in a week, and was known on another day, has moved."""
        rows, row = self.lists["exams"].rows, change.row
        known = rows.get(row.id, KnownRow())
        days = known.digest
        has_moved = bool(days) and row.day not in days.split("/")
        rows[row.id] = KnownRow(row.day if has_moved or not days else days, notified=True)
        if change.kind == "new" and has_moved:
            return RowChange("changed", row)
        return None if change.kind == "new" and known.notified else change

    # --- What is forgotten ---

    def forget_past(self, today: date) -> None:
        """Drop the weeks that are over."""
        year, week, _ = today.isocalendar()
        this_week = week_key(year, week)
        self.weeks = {key: state for key, state in self.weeks.items() if key >= this_week}
        assignments = self.lists["assignments"]
        known = {*assignments.sections, *assignments.unconfirmed}
        assignments.keep_sections({key for key in known if key >= this_week})

    def keep_only(self, wanted: Iterable[tuple[Source, str]]) -> None:
        """Forget all but these sections and weeks. Of a list without any, its rows, too: whoever
        wants it again begins with a first look."""
        keys: defaultdict[Source, set[str]] = defaultdict(set)
        for source, key in wanted:
            keys[source].add(key)
        self.weeks = {key: week for key, week in self.weeks.items() if key in keys["lessons"]}
        for name in LIST_NAMES:
            if not keys[name]:
                self.lists[name] = ListState()
            self.lists[name].keep_sections(keys[name])

    def set_unavailable(self, names: Iterable[ListName]) -> None:
        """The school no longer has these lists: what was seen once in them is not looked for."""
        for name in names:
            self.lists[name].forget_unconfirmed()
        self.unavailable = sorted({*self.unavailable, *names})

    # --- What has to be seen again ---

    def has_unconfirmed(self, source: Source, key: str) -> bool:
        """Whether something of this week or section was seen only once."""
        if source == "lessons":
            return key in self.weeks and bool(self.weeks[key].confirmation_times())
        return self.lists[source].has_unconfirmed(key)

    def confirm_at(self) -> float | None:
        """When the first of what was seen once may count; None: there is nothing."""
        times = [at for week in self.weeks.values() for at in week.confirmation_times()]
        times += [at for known in self.lists.values() for at in known.confirmation_times()]
        return min(times, default=None)

    # --- JSON ---

    def to_json(self) -> str:
        return orjson.dumps(
            {
                "weeks": {key: week.to_values() for key, week in self.weeks.items()},
                **{name: known.to_values() for name, known in self.lists.items()},
                "off": self.unavailable,
                "menuAt": self.menu_at,
                "turn": self.turn,
                "askedAt": self.regular_at,
                "child": self.child_name,
            }
        ).decode()

    @classmethod
    def from_json(cls, content: str | None) -> "WatchState":
        if content is None:
            return cls()
        values = orjson.loads(content)
        return cls(
            weeks={key: WeekState.from_values(week) for key, week in values["weeks"].items()},
            # What an earlier version wrote has fewer lists.
            lists={name: ListState.from_values(values.get(name, [{}])) for name in LIST_NAMES},
            unavailable=values.get("off", []),
            menu_at=values.get("menuAt", 0.0),
            turn=values["turn"],
            regular_at=values["askedAt"],
            child_name=values["child"],
        )


def week_key(year: int, week: int) -> str:
    return f"{year:04}-{week:02}"


def weeks_of_window(today: date) -> list[Week]:
    """The ISO years and weeks that the next 14 days touch."""
    days = (today + timedelta(days=number) for number in range(WINDOW_DAYS))
    return sorted({day.isocalendar()[:2] for day in days})


def _from_day(day: str, lessons: Iterable[WatchedLesson]) -> list[WatchedLesson]:
    return [lesson for lesson in lessons if lesson.day >= day]
