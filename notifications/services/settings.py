"""What a person chose to be told, and how."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db import transaction
from django.utils import translation
from django.utils.translation import get_language

from accounts.models import Account
from accounts.registry import notification_kinds
from notifications.models import KindSetting, MutedConversation, NotificationSettings
from notifications.models.settings import DELIVERIES
from notifications.signals import settings_changed

OFF, LIST, PUSH = DELIVERIES


def settings_row(account_id: int) -> NotificationSettings:
    """What a person chose; the defaults, unsaved, while they chose nothing."""
    return NotificationSettings.objects.filter(pk=account_id).first() or NotificationSettings()


def settings_of(account_id: int) -> dict[str, Any]:
    """Everything that a person chose, as JSON."""
    row = settings_row(account_id)
    chosen = KindSetting.objects.filter(account_id=account_id).values_list("kind", "delivery")
    muted = MutedConversation.objects.filter(account_id=account_id).order_by("pk")
    return {
        "kinds": {kind: default_delivery(kind) for kind in notification_kinds()} | dict(chosen),
        "quietHours": {"from": f"{row.quiet_from:%H:%M}", "to": f"{row.quiet_to:%H:%M}"}
        if row.quiet_from
        else None,
        "preview": row.preview,
        "language": row.language or get_language(),
        "muted": [
            conversation_id.hex
            for conversation_id in muted.values_list("conversation_id", flat=True)
        ],
        "watch": row.watch,
    }


@transaction.atomic
def change_settings(account_id: int, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Change what `changes` names: fields of `NotificationSettings`, `deliveries` (by kind; those
    left out stay), `muted`. Returns `settings_of` the person."""
    # Two changes at once each keep what the other did not name.
    Account.objects.select_for_update(no_key=True).filter(pk=account_id).first()
    row = keep_language(account_id)
    if "quiet_hours" in changes:
        hours = changes["quiet_hours"] or {}
        row.quiet_from, row.quiet_to = hours.get("from"), hours.get("to")
    for name in ("preview", "language", "watch"):
        if name in changes:
            setattr(row, name, changes[name])
    row.save()
    for kind, delivery in changes.get("deliveries", {}).items():
        KindSetting.objects.update_or_create(
            account_id=account_id, kind=kind, defaults={"delivery": delivery}
        )
    if "muted" in changes:
        MutedConversation.objects.filter(account_id=account_id).delete()
        MutedConversation.objects.bulk_create(
            MutedConversation(account_id=account_id, conversation_id=conversation_id)
            for conversation_id in dict.fromkeys(changes["muted"])
        )
    settings_changed.send(NotificationSettings, account_id=account_id)
    return settings_of(account_id)


def keep_language(account_id: int) -> NotificationSettings:
    """The settings' row. A new one has the language of the request, for texts that no request asks
    for."""
    row, _ = NotificationSettings.objects.get_or_create(
        pk=account_id, defaults={"language": get_language() or ""}
    )
    return row


def deliveries_of(account_ids: Collection[int], kind: str) -> dict[int, str]:
    """How each of these people is told of a kind: `off`, `list` or `push`."""
    chosen = KindSetting.objects.filter(account__in=account_ids, kind=kind)
    return dict.fromkeys(account_ids, default_delivery(kind)) | dict(
        chosen.values_list("account_id", "delivery")
    )


def default_delivery(kind: str) -> str:
    """For those who chose nothing. Without a device, nothing is pushed."""
    return PUSH if notification_kinds()[kind].pushed else LIST


def delivery_of(account_id: int, kind: str) -> str:
    """As `deliveries_of`, for one person."""
    return deliveries_of([account_id], kind)[account_id]


def kinds_not_off(account_id: int, kinds: Iterable[str]) -> set[str]:
    """Those of these kinds that a person has not switched off."""
    chosen = dict(KindSetting.objects.filter(account=account_id).values_list("kind", "delivery"))
    return {kind for kind in kinds if chosen.get(kind, default_delivery(kind)) != OFF}


def languages_of(account_ids: Iterable[int]) -> dict[int, str]:
    """The language of each person who chose one."""
    rows = NotificationSettings.objects.filter(pk__in=account_ids).exclude(language="")
    return dict(rows.values_list("pk", "language"))


def in_own_language(account_id: int) -> translation.override:
    """In the language that a person chose, else in that of the request."""
    return translation.override(languages_of([account_id]).get(account_id) or get_language())
