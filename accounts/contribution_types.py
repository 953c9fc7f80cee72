"""The types of what an app declares for the others in its `contributions` module."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from accounts.callers import Caller
from accounts.notification_types import NotificationKind
from accounts.personal_data import PersonalData
from accounts.purging import Purged
from limits import RateLimit
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
    moderators see the case while it is about nobody.

    Where the account is erased, `person_hash`, `person_name` and `school` are what is kept of the
    person. `seen_until` is until when the reporter could read it; None: they still can.
    """

    id: str
    person_id: int | None
    encrypted: bool = False
    school: str = ""
    person_hash: str = ""
    person_name: str = ""
    seen_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class EarlierText:
    """A text that stood there before the report, until `gone_at`: then it was edited, deleted or
    taken back (`change`, of `accounts.models.KeptText`), by its author unless `changed_by` names
    somebody. `name` is as in `Evidence.values`, or as in `pictures`."""

    text: str
    gone_at: datetime
    change: str
    name: str = ""
    is_picture: bool = False
    changed_by: str = ""


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """A message, or the text of a note. `key` is the same each time it is collected.

    `state` is empty, or why there is no text, or only staff see it: `deleted`, `encrypted`,
    `hidden`, `withdrawn`, `declined`. `gone_at` is since when, `gone_by` who deleted it, if not
    the author. `earlier` are the texts before, the oldest first.
    """

    key: str
    author: str
    display_name: str
    at: datetime
    text: str
    state: str = ""
    edited_at: datetime | None = None
    gone_at: datetime | None = None
    gone_by: str = ""
    reported: bool = False
    earlier: Sequence[EarlierText] = ()


@dataclass(frozen=True, slots=True)
class EvidencePerson:
    """Somebody whom a report may be about: a member of a group, or who was one. `person_hash` is
    what is kept of somebody whose account is erased."""

    username: str
    display_name: str
    school: str
    upstream_user_id: int
    person_hash: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What staff see of a reported thing. A copy of it is sealed with each report.

    `values` are texts by name, and `pictures` WebP files in base64 by name: `ReportKind.labels` has
    these names for readers, and `ReportKind.codes` the values that are codes, such as a status.
    `changed_at` is the last change of the values, and does not count in a comparison. `earlier` are
    values from before, the oldest first. `seen_until`: the reporter could read it until then, and
    it is shown as it was then.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    lines: Sequence[EvidenceLine] = ()
    people: Sequence[EvidencePerson] = ()
    pictures: Mapping[str, str] = field(default_factory=dict)
    changed_at: datetime | None = field(default=None, compare=False)
    earlier: Sequence[EarlierText] = ()
    seen_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReportPlace:
    """Where a reported thing stands: what kind of place that is, its name ("" without one), and the
    accounts that read there now."""

    kind: Words
    name: str
    reader_ids: Sequence[int]


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
    `collect_evidence` takes the id that the case keeps, and returns what stands there now, None
    when the thing is gone. `collect_reported` returns what a report keeps, where that is more:
    what stood there before, too (`accounts.services.kept_texts`). `find_place` takes the id that
    the case keeps, and returns None when the place is gone.
    """

    name: str
    label: Words
    labels: Mapping[str, Words] = field(default_factory=dict)
    codes: Mapping[str, Mapping[str, Words]] = field(default_factory=dict)
    find_target: Callable[[int, str], ReportTarget]
    find_public_target: Callable[[str], ReportTarget] | None = None
    find_person: Callable[[int, str, str], EvidencePerson] | None = None
    collect_evidence: Callable[[str], Evidence | None]
    collect_reported: Callable[[ReportTarget], Evidence | None] | None = None
    find_place: Callable[[str], ReportPlace | None] | None = None
    actions: Sequence[ReportAction] = ()


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributions:
    """One app's part.

    `purges` run with `purge_expired`, `retention_jobs` with `enforce_retention`: they take whether
    this is a dry run, and are safe to run twice and at the same time. `staff_charts` are drawn on
    the front page of the staff site. `staff_permissions` maps a role to permissions, such as
    `social.view_case`. `notification_kinds` are what the app tells people about.
    """

    personal_data: PersonalData
    report_kinds: Sequence[ReportKind] = ()
    share_cards: Sequence[ShareCardKind] = ()
    rate_limits: Sequence[RateLimit] = ()
    purges: Sequence[Callable[[bool], Purged]] = ()
    retention_jobs: Sequence[Callable[[bool], list[Purged]]] = ()
    staff_charts: Sequence["Callable[[User | AnonymousUser], Chart]"] = ()
    staff_permissions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    notification_kinds: Sequence[NotificationKind] = ()
