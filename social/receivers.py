"""Receivers of the signals of `accounts` and `notifications`. They publish; a new role also ends
contacts."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.dispatch import receiver
from django.utils.translation import override

from accounts.signals import (
    account_refused,
    account_warned,
    profile_changed,
    role_changed,
    session_ended,
)
from notifications.models import Notification
from notifications.services.notifications import render_notification
from notifications.services.settings import languages_of
from notifications.services.texts import describe
from notifications.signals import notifications_created, notifications_read
from social.realtime.events import EndReason, NotificationCreated, NotificationRead, SessionEnded
from social.realtime.publish import Delivery, publish_on_commit, publish_to_session
from social.services.profiles import publish_profile
from social.services.relations import contacts_of
from social.services.roles import end_refused_contacts


@receiver(session_ended)
def close_sockets_of_session(
    *, account_id: int, session_key: str, reason: EndReason, **_kwargs: Any
) -> None:
    """Logout, suspension or expiry: the session's sockets receive the reason and are closed."""
    publish_to_session(account_id, session_key, SessionEnded(reason=reason))


@receiver(account_refused)
def close_sockets_of_account(*, account_id: int, reason: EndReason, **_kwargs: Any) -> None:
    publish_on_commit([Delivery([account_id], SessionEnded(reason=reason))])


@receiver(role_changed)
def end_contacts_after_new_role(*, account_id: int, **_kwargs: Any) -> None:
    end_refused_contacts(account_id)


@receiver(profile_changed)
def publish_new_profile(*, account_id: int, **_kwargs: Any) -> None:
    publish_profile(account_id, sorted(contacts_of(account_id)))


@receiver(notifications_created)
def publish_notifications(*, notifications: Sequence[Notification], **_kwargs: Any) -> None:
    """Each to its person, as the list shows it."""
    chosen = languages_of(row.account_id for row in notifications)
    by_language: dict[str, list[Notification]] = defaultdict(list)
    for row in notifications:
        by_language[chosen.get(row.account_id) or settings.DEFAULT_LANGUAGE].append(row)
    for language, rows in by_language.items():
        with override(language):
            texts = describe(rows)
        for row in rows:
            if (text := texts.get(row.pk)) is not None:
                event = NotificationCreated(notification=render_notification(row, text))
                publish_on_commit([Delivery([row.account_id], event)])


@receiver(notifications_read)
def publish_read_notifications(
    *, account_id: int, ids: Sequence[UUID], unread: int, **_kwargs: Any
) -> None:
    event = NotificationRead(ids=[pk.hex for pk in ids], unread=unread)
    publish_on_commit([Delivery([account_id], event)])


@receiver(account_warned)
def publish_own_profile(*, account_id: int, **_kwargs: Any) -> None:
    """Nobody else learns of a warning."""
    publish_profile(account_id, [account_id])
