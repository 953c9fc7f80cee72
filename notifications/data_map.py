"""The personal data of this app."""

from collections.abc import Iterator
from datetime import time
from typing import Any

from accounts.personal_data import Document, PersonalData, Table, with_api_names
from notifications.models import (
    KindSetting,
    MutedConversation,
    Notification,
    NotificationSettings,
    PushSubscription,
)
from notifications.services.notifications import kept_of, render_notification
from notifications.services.texts import describe

TABLES = [
    Table(
        model="notifications.Notification",
        purpose="telling the person what happened while they were away",
        retention="30 days",
        erasure="deleted",
        personal=["kind", "created_at", "read_at"],
        withheld={"details": "encrypted; exported as the texts that the person reads"},
        technical=["id", "account", "about", "push", "pushed_at", "pushes_again"],
    ),
    Table(
        model="notifications.NotificationSettings",
        purpose="what the person wants to be told, and how",
        retention="until it is changed",
        erasure="deleted",
        personal=["quiet_from", "quiet_to", "preview", "language", "watch"],
        technical=["account"],
    ),
    Table(
        model="notifications.KindSetting",
        purpose="what the person wants to be told, and how",
        retention="until it is changed",
        erasure="deleted",
        personal=["kind", "delivery"],
        technical=["id", "account"],
    ),
    Table(
        model="notifications.MutedConversation",
        purpose="conversations that the person does not want pushes about",
        retention="until it is changed",
        erasure="deleted",
        personal=["conversation_id"],
        technical=["id", "account"],
    ),
    Table(
        model="notifications.PushSubscription",
        purpose="pushing notifications to the person's devices",
        retention="until the login ends; the device, 30 days after pushes to it stopped",
        erasure="deleted",
        personal=["host", "device", "created_at", "last_used_at", "failing_since", "gone_at"],
        withheld={
            "browser": "the address and the keys of the browser's push service; encrypted",
            "endpoint_hash": "for look-up; a keyed hash",
        },
        technical=["id", "account", "session_key", "ends_since", "failed_at", "failures"],
    ),
]

_, _SETTINGS, _, _, _SUBSCRIPTION = TABLES


def export(account_id: int) -> Iterator[Document]:
    notifications = list(kept_of(account_id))
    texts = describe(notifications)
    shown = [
        render_notification(notification, text)
        for notification in notifications
        if (text := texts.get(notification.pk))
    ]
    yield "notifications.json", shown
    yield "notification-settings.json", _settings(account_id)
    own = PushSubscription.objects.filter(account_id=account_id).order_by("created_at")
    yield "push-subscriptions.json", list(map(with_api_names, own.values(*_SUBSCRIPTION.personal)))


def _settings(account_id: int) -> dict[str, Any]:
    rows = NotificationSettings.objects.filter(pk=account_id).values(*_SETTINGS.personal)
    chosen = {
        name: f"{value:%H:%M}" if isinstance(value, time) else value
        for name, value in (rows.first() or {}).items()
    }
    kinds = KindSetting.objects.filter(account_id=account_id).order_by("kind")
    muted = MutedConversation.objects.filter(account_id=account_id).order_by("pk")
    return {
        **with_api_names(chosen),
        "kinds": dict(kinds.values_list("kind", "delivery")),
        "muted": [
            conversation_id.hex
            for conversation_id in muted.values_list("conversation_id", flat=True)
        ],
    }


def erase(account_id: int) -> None:
    for model in (Notification, KindSetting, MutedConversation, PushSubscription):
        model.objects.filter(account_id=account_id).delete()
    NotificationSettings.objects.filter(pk=account_id).delete()


PERSONAL_DATA = PersonalData(TABLES, export, erase)
