"""What a push says.

The form is that of declarative web push, so Safari shows it without a service worker.
"""

from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from django.utils.translation import get_language

from accounts.encryption import keyed_hash
from accounts.notification_types import NotificationText
from accounts.origins import public_url
from accounts.registry import notification_kinds
from notifications.models import Notification

# Every push is as long as one of these, so that its length says little.
_LENGTHS: Final = (512, 1024, 2048, 3072)
_PREVIEW_LENGTH: Final = 80


@dataclass(frozen=True, slots=True)
class Push:
    """A push, before it is encrypted. Pushes with the same `topic` replace each other."""

    title: str
    body: str
    topic: str
    url: str | None
    data: dict[str, Any]
    urgent: bool
    lang: str = field(default_factory=get_language)

    def to_bytes(self) -> bytes:
        notification = {
            "title": self.title,
            "body": self.body,
            "navigate": public_url(f"/app{self.url or '/'}"),
            "lang": self.lang,
            "tag": self.topic,
            "data": self.data,
        }
        text = orjson.dumps({"web_push": 8030, "notification": notification})
        length = next((length for length in _LENGTHS if length >= len(text)), len(text))
        return text.ljust(length)  # blanks after JSON mean nothing


def push_of(notification: Notification, text: NotificationText, *, preview: bool) -> Push:
    """The push about a notification, with names and words only for those who want a preview."""
    shown = preview and bool(text.preview_title)
    return Push(
        title=text.preview_title[:_PREVIEW_LENGTH] if shown else text.summary,
        body=text.preview_body[:_PREVIEW_LENGTH] if shown else "",
        topic=topic_of(notification.account_id, notification.about or notification.pk.hex),
        url=_address(text),
        data={"id": notification.pk.hex, "kind": notification.kind, "url": text.url},
        urgent=notification_kinds()[notification.kind].urgent,
    )


def _address(text: NotificationText) -> str | None:
    """Where it leads in the app, for the child that it is about."""
    child = text.data.get("child")
    if not text.url or not child:
        return text.url
    return f"{text.url}{'&' if '?' in text.url else '?'}child={child}"


def topic_of(account_id: int, about: str) -> str:
    """32 characters that say nothing to the push service."""
    return keyed_hash("push topic", str(account_id), about)[:32]
