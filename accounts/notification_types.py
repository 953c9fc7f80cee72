"""The types of what an app declares about its notifications, in its `contributions` module."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class NotificationItem:
    """A kept notification, as its kind describes it. `details` are the values it was made with.

    Without `names`, only `summary`, `url` and `data` of its text are used, as in a push without a
    preview: what takes long to read for the others may be left out of them.
    """

    id: UUID
    account_id: int
    about: str
    details: Mapping[str, Any]
    created_at: datetime
    read: bool
    names: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationText:
    """What a person reads. `title` and `body` are for the list, and may have names.

    `summary` is for a push: a sentence without any name, text, subject or grade. `preview_title`
    and `preview_body` replace title and body of a push for those who want a preview; where they are
    empty, the summary stays. `url` is a path in the app. `data` is the field of the API.
    """

    title: str
    body: str
    summary: str
    preview_title: str = ""
    preview_body: str = ""
    url: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationKind:
    """A kind of notification, by its name in the API. `describe` returns the text of each item, in
    the current language; those it leaves out are not shown, because what they are about is gone.
    The push of an `urgent` one is delivered at once, even to a device that saves power. A
    `pushed` one is pushed to the devices of those who chose nothing; others are only listed."""

    name: str
    describe: Callable[[Sequence[NotificationItem]], Mapping[UUID, NotificationText]]
    urgent: bool = False
    pushed: bool = False
