"""The types of what an app declares for the others in its `contributions` module."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Protocol

from accounts.callers import Caller
from accounts.personal_data import PersonalData
from accounts.rate_limits import RateLimit
from stats.charts import Chart


@dataclass(frozen=True, slots=True)
class ReportTarget:
    """What a report is about: the id to keep, the account that is responsible for it (None: nobody
    is), and whether only its readers can decrypt it."""

    id: str
    subject_id: int | None
    encrypted: bool = False


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """A message, or a note, on the page of a report."""

    author: str
    at: datetime
    text: str
    reported: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """What staff see of a reported thing. `facts` are (name, value) pairs."""

    title: str
    facts: Sequence[tuple[str, Any]] = ()
    lines: Sequence[EvidenceLine] = ()
    picture_url: str = ""


@dataclass(frozen=True, slots=True)
class ReportAction:
    """Something staff can do to a reported thing, and how it is undone. `run` takes the id that the
    report keeps."""

    name: str
    label: str
    run: Callable[[str], object]
    undo: "ReportAction | None" = None


@dataclass(frozen=True, slots=True)
class ReportKind:
    """A kind of thing that can be reported.

    `find_target` takes the reporter's account id and the id from the request, and raises the app's
    "not there" error for what the reporter cannot see. `collect_evidence` takes the id that the
    report keeps, and returns None when the thing is gone.
    """

    name: str
    find_target: Callable[[int, str], ReportTarget]
    collect_evidence: Callable[[str], Evidence | None]
    actions: Sequence[ReportAction] = ()


@dataclass(frozen=True, slots=True)
class ShareCardKind:
    """A kind of card in a message. `build` takes the caller and the value of `id_field` in the
    request; it may ask upstream, so it is called before any lock is taken."""

    name: str
    id_field: str
    build: Callable[[Caller, Any], dict[str, Any]]
    id_may_be_number: bool = False


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """One event of a calendar.

    `start` and `end` are aware datetimes, or dates for whole days. `end` is exclusive, and None
    where it is not known. `uid` is the same as long as it is the same event, and reveals nothing
    about a person.
    """

    uid: str
    title: str
    start: date | datetime
    end: date | datetime | None = None
    location: str = ""
    text: str = ""


@dataclass(slots=True)
class Purged:
    """The result of a purge: rows looked at, expired (deleted), and readable by no key (kept).
    `noun` and `done` are the words for the summary."""

    noun: str
    done: str
    seen: int = 0
    expired: int = 0
    unreadable: int = 0


Progress = Callable[[Purged], None]


class Purge(Protocol):
    """Deletes one kind of expired rows. Safe to run twice and at the same time."""

    def __call__(self, *, dry_run: bool, progress: Progress) -> Purged: ...


class RetentionJob(Protocol):
    """Deletes several kinds of rows that are older than their retention."""

    def __call__(self, *, dry_run: bool, progress: Progress) -> list[Purged]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributions:
    """One app's part.

    `calendar_entries` returns an account's entries for its calendar. `purges` run with
    `purge_expired`, `retention_jobs` with `enforce_retention`. `staff_charts` are
    drawn on the front page of the staff site. `staff_permissions` maps a role to the permissions
    that it has on this app's models, such as `view_report`.
    """

    personal_data: PersonalData
    report_kinds: Sequence[ReportKind] = ()
    share_cards: Sequence[ShareCardKind] = ()
    calendar_entries: Callable[[int], Iterable[CalendarEntry]] | None = None
    rate_limits: Sequence[RateLimit] = ()
    purges: Sequence[Purge] = ()
    retention_jobs: Sequence[RetentionJob] = ()
    staff_charts: Sequence[Callable[[], Chart]] = ()
    staff_permissions: Mapping[str, Sequence[str]] = field(default_factory=dict)
