"""What the watch knows of a list of the school: enough to see that a row is new or has changed.

`watched_lists` says which lists there are, and how their rows are read.
"""

from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from schoolproxy.services.watch.confirmation import (
    CONFIRM_SECONDS,
    DOUBT_SECONDS,
    EMPTY_SECONDS,
    AnswerTime,
)

ListName = Literal["news", "inbox", "assignments", "results", "exams", "missing"]
# What the watch reads of a school: the lessons of a week, or a list.
Source = Literal["lessons"] | ListName
LIST_NAMES: Final[tuple[ListName, ...]] = (
    *("news", "inbox", "assignments", "results", "exams", "missing"),
)
# How many rows of a list are remembered. Of exams and missing work there can be more: when some are
# over, those behind them must not look new.
MAX_KNOWN_ROWS: Final = 600
MAX_KNOWN_SELECTED: Final = 4_000


class WatchedRow(NamedTuple):
    """An assignment, a result, a news item, a message, an exam, or work that was not handed in.

    `digest` is another one when the row has changed. `assessed`: upstream says that its assessment
    is published. `sent` is `YYYY-MM-DD`, perhaps with `THH:MM`, in a list whose older rows appear
    when others are deleted. `day` is when it takes place or is due. `is_near`: it is in this week
    or the next, whose list of assignments tells of its changes.
    """

    id: str
    title: str
    digest: str = ""
    assessed: bool = False
    sender: str = ""
    sent: str = ""
    day: str = ""
    is_near: bool = False


@dataclass(frozen=True, slots=True)
class RowChange:
    """`kind`: `new`, `changed`, or `result` (its assessment is published)."""

    kind: Literal["new", "changed", "result"]
    row: WatchedRow

    @property
    def key(self) -> str:
        """The same for the same change in a later answer."""
        return f"{self.kind}:{self.row.id}:{self.row.digest}"


class KnownRow(NamedTuple):
    """A row as it was last reported. `notified` is, by list: assignments: the assessment is known;
    results: the person was told of the result; exams: the person was told of the exam."""

    digest: str = ""
    notified: bool = False


@dataclass(slots=True)
class ListState:
    """What is known of one list.

    `rows` are the known rows by id. `sections` are the weeks of the list that were looked at (a
    list without weeks has one section). The value is None once the rows of a section are known;
    before that, it is when the section was first seen empty, which may be a failure of the school.
    `unconfirmed` has the changes that were seen once: by section and key, when. `newest` is when
    the newest row of the first look was sent. Times are Unix seconds.
    """

    rows: dict[str, KnownRow] = field(default_factory=dict)
    sections: dict[str, float | None] = field(default_factory=dict)
    unconfirmed: dict[str, dict[str, float]] = field(default_factory=dict)
    newest: str = ""

    def update(
        self, section: str, rows: list[WatchedRow], time: AnswerTime, *, selected: bool = False
    ) -> list[RowChange]:
        """The changes of a section that count now; from then on they are known.

        `selected`: the rows were picked from an answer that had others too, so it is no failure of
        the school that there are none.
        """
        if self._is_first_look(section, rows, time, selected=selected):
            return []
        changes = [change for row in rows for change in self._changes_of(row)]
        confirmed, self.unconfirmed[section] = time.split_confirmed(
            changes, self.unconfirmed.get(section, {}), lambda change: change.key
        )
        for change in confirmed:
            self._make_known(change)
        # The rows that changed last are at the end.
        limit = MAX_KNOWN_SELECTED if selected else MAX_KNOWN_ROWS
        self.rows = dict(list(self.rows.items())[-limit:])
        return confirmed

    def keep_sections(self, sections: set[str]) -> None:
        """Forget what is known of all other sections. The rows stay."""
        self.sections = {key: at for key, at in self.sections.items() if key in sections}
        self.unconfirmed = {
            key: times for key, times in self.unconfirmed.items() if key in sections
        }

    def forget_unconfirmed(self) -> None:
        """Forget what was seen only once."""
        self.unconfirmed.clear()
        self.sections = {key: at for key, at in self.sections.items() if at is None}

    def has_unconfirmed(self, section: str) -> bool:
        """Whether something of this section was seen only once."""
        return bool(self.unconfirmed.get(section)) or self.sections.get(section) is not None

    def confirmation_times(self) -> list[float]:
        """When what was seen once may count."""
        times = [at + EMPTY_SECONDS for at in self.sections.values() if at is not None]
        for first_seen in self.unconfirmed.values():
            times += [at + CONFIRM_SECONDS for at in first_seen.values()]
        return times

    def to_values(self) -> list[Any]:
        rows = {row_id: list(row) for row_id, row in self.rows.items()}
        values: list[Any] = [rows, self.sections, self.unconfirmed]
        return [*values, self.newest] if self.newest else values

    @classmethod
    def from_values(cls, values: list[Any]) -> "ListState":
        rows, *rest = values
        return cls({row_id: KnownRow(*row) for row_id, row in rows.items()}, *rest)

    def _is_first_look(
        self, section: str, rows: list[WatchedRow], time: AnswerTime, *, selected: bool
    ) -> bool:
        """Whether nothing is known of the section yet. Then its rows are known from now on.

        Rows that come to a section that was empty for long enough are new. That it is empty is
        known when it is still empty half an hour later.
        """
        if self.sections.get(section, 0.0) is None:
            return False
        empty_since = self.sections.get(section)
        if rows or selected:
            self.sections[section] = None
            if empty_since is not None and time.at - empty_since >= DOUBT_SECONDS and not selected:
                return False
            self._remember(rows, time)
        elif empty_since is None:
            self.sections[section] = time.at
        elif time.confirms(empty_since, empty=True):
            self.sections[section] = None
        return True

    def _remember(self, rows: list[WatchedRow], time: AnswerTime) -> None:
        for row in rows:
            self.rows.setdefault(row.id, KnownRow(row.digest, row.assessed))
        today = time.today.isoformat()
        self.newest = max((row.sent for row in rows if row.sent[:10] <= today), default="")

    def _changes_of(self, row: WatchedRow) -> list[RowChange]:
        known = self.rows.get(row.id)
        if known is None:
            return [] if self._was_there_before(row) else [RowChange("new", row)]
        changes: list[RowChange] = []
        if not known.digest:  # an exam that is known from the list of its week, without a day
            self.rows[row.id] = known._replace(digest=row.digest)
        elif known.digest != row.digest and not row.is_near:
            changes.append(RowChange("changed", row))
        if row.assessed and not known.notified:
            changes.append(RowChange("result", row))
        return changes

    def _was_there_before(self, row: WatchedRow) -> bool:
        """Whether a new row was on a later page at the first look. Times of day may be missing."""
        length = min(len(row.sent), len(self.newest))
        return row.sent[:length] < self.newest[:length]

    def _make_known(self, change: RowChange) -> None:
        """Take over a change that counts, and move its row to the end."""
        row = change.row
        known = self.rows.pop(row.id, KnownRow(row.digest))
        if change.kind == "result":
            self.rows[row.id] = known._replace(notified=True)
        else:
            self.rows[row.id] = known._replace(digest=row.digest)
