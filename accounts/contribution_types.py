"""The types of what an app declares for the others in its `contributions` module."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from accounts.callers import Caller
from accounts.import_types import ImportKind
from accounts.notification_types import NotificationKind
from accounts.personal_data import PersonalData
from accounts.purging import Purged
from accounts.rate_limits import RateLimit
from stats.charts import Chart

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User
    from django.utils.functional import _StrPromise
    from rest_framework.serializers import Serializer

# A text for readers, which may be translated when it is shown.
Words: TypeAlias = "str | _StrPromise"


@dataclass(frozen=True, slots=True)
class ReportTarget:
    """What a report is about: the id to keep, the account that is responsible for it (None: nobody
    is, or staff have to choose), and whether only its readers can decrypt it. `school` is whose
    moderators see the case while it is about nobody."""

    id: str
    person_id: int | None
    encrypted: bool = False
    school: str = ""


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """A message, or the text of a note. `key` is the same each time it is collected.

    `state` is empty, or why there is no text, or only staff see it: `deleted`, `encrypted`,
    `hidden`. `gone_at` is when it was deleted or hidden.
    """

    key: str
    author: str
    display_name: str
    at: datetime
    text: str
    state: str = ""
    edited_at: datetime | None = None
    gone_at: datetime | None = None
    reported: bool = False


@dataclass(frozen=True, slots=True)
class EvidencePerson:
    """Somebody whom a report may be about: a member of a group."""

    username: str
    display_name: str
    school: str
    upstream_user_id: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What staff see of a reported thing. A copy of it is sealed with each report.

    `values` are texts by name, and `pictures` WebP files in base64 by name: `ReportKind.labels` has
    these names for readers, and `ReportKind.codes` the values that are codes, such as a status.
    `changed_at` is the last change of the values, and does not count in a comparison.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    lines: Sequence[EvidenceLine] = ()
    people: Sequence[EvidencePerson] = ()
    pictures: Mapping[str, str] = field(default_factory=dict)
    changed_at: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ReportAction:
    """Something staff can do to a reported thing. `explanation` is a sentence that says what it
    does.

    `run` takes the id that the case keeps, and returns whether it changed anything; it raises the
    app's "not there" error when the thing is gone. `undo` takes it back, where that is possible.
    """

    name: str
    label: Words
    explanation: Words
    run: Callable[[str], bool]
    undo: "ReportAction | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportKind:
    """A kind of thing that can be reported.

    `find_target` takes the reporter's account id and the id from the request, and raises the app's
    "not there" error for what the reporter cannot see. `find_public_target` does the same for
    visitors without an account, where they can see it. `find_person` takes the reporter, the id
    that the case keeps and a public name, and returns the person of whom the report may be about.
    `collect_evidence` takes the id that the case keeps, and returns None when the thing is gone.
    """

    name: str
    label: Words
    labels: Mapping[str, Words] = field(default_factory=dict)
    codes: Mapping[str, Mapping[str, Words]] = field(default_factory=dict)
    find_target: Callable[[int, str], ReportTarget]
    find_public_target: Callable[[str], ReportTarget] | None = None
    find_person: Callable[[int, str, str], EvidencePerson] | None = None
    collect_evidence: Callable[[str], Evidence | None]
    actions: Sequence[ReportAction] = ()


@dataclass(frozen=True, slots=True)
class StaffCount:
    """A number on the front page of the staff site, and the page that it leads to."""

    label: Words
    number: int
    url: str


@dataclass(frozen=True, slots=True)
class ShareCardKind:
    """A kind of card in a message. `build` takes the caller and the value of `id_field` in the
    request; it may ask upstream, so it is called before any lock is taken. `serializer` describes
    the card in the schema."""

    name: str
    id_field: str
    build: Callable[[Caller, Any], dict[str, Any]]
    serializer: "type[Serializer[Any]]"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurringJob:
    """Work that a worker does every so many `seconds`, on one of all workers at a time.

    `run` is safe to run twice at once: a worker may die in the middle of it, and another starts.
    """

    name: str
    seconds: int
    run: Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributions:
    """One app's part.

    `calendar_entries` returns an account's entries for its calendar. `purges` run with
    `purge_expired`, `retention_jobs` with `enforce_retention`: they take whether this is a dry run,
    and are safe to run twice and at the same time. `staff_charts` are drawn on the front page of
    the staff site, and `staff_counts` are the numbers on it that a member of staff may see.
    `staff_permissions` maps a role to the permissions that it has on this app's models, such as
    `view_case`.

    `import_kinds` are the objects that `import_data` reads. `role_corrected` takes the id of an
    imported account whose person turned out at the first sign-in to be an adult and not a pupil, or
    the other way round; it runs in the transaction of that sign-in. `renamed` takes the id of an
    account that has got another public name, and runs in the transaction that gave it.

    `notification_kinds` are what the app tells people about, and `recurring_jobs` what a worker
    does for it now and then.
    """

    personal_data: PersonalData
    report_kinds: Sequence[ReportKind] = ()
    share_cards: Sequence[ShareCardKind] = ()
    calendar_entries: Callable[[int], Iterable[CalendarEntry]] | None = None
    rate_limits: Sequence[RateLimit] = ()
    purges: Sequence[Callable[[bool], Purged]] = ()
    retention_jobs: Sequence[Callable[[bool], list[Purged]]] = ()
    staff_charts: Sequence["Callable[[User | AnonymousUser], Chart]"] = ()
    staff_counts: Sequence["Callable[[User | AnonymousUser], Sequence[StaffCount]]"] = ()
    staff_permissions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    import_kinds: Sequence[ImportKind] = ()
    role_corrected: Callable[[int], None] = lambda _account_id: None
    renamed: Callable[[int], None] = lambda _account_id: None
    notification_kinds: Sequence[NotificationKind] = ()
    recurring_jobs: Sequence[RecurringJob] = ()
