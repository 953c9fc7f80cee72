"""What a person chose to be told, and how."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import time
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import translation
from django.utils.translation import get_language

from accounts.models import Account
from notifications.kinds import KINDS
from notifications.models import KindSetting, MutedConversation, NotificationSettings
from notifications.models.settings import DELIVERIES
from notifications.signals import settings_changed

OFF, LIST, PUSH = DELIVERIES


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Times of day in Stockholm between which nothing is pushed; over midnight when the first is
    the later one."""

    start: time
    end: time


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a person chose. `language` is `sv` or `en`, empty while they chose none."""

    deliveries: Mapping[str, str]
    quiet_hours: QuietHours | None
    preview: bool
    language: str
    muted: Sequence[UUID]
    watch: bool


@dataclass(frozen=True, slots=True)
class PushSettings:
    """What is needed to push something. `language` as in `Settings`."""

    quiet_hours: QuietHours | None
    preview: bool
    language: str


def push_settings_of(account_id: int) -> PushSettings:
    row = _row(account_id)
    return PushSettings(_quiet_hours(row), row.preview, row.language)


def settings_of(account_id: int) -> Settings:
    row = _row(account_id)
    chosen = KindSetting.objects.filter(account_id=account_id).values_list("kind", "delivery")
    muted = MutedConversation.objects.filter(account_id=account_id).order_by("pk")
    return Settings(
        deliveries=dict.fromkeys(KINDS, LIST) | dict(chosen),
        quiet_hours=_quiet_hours(row),
        preview=row.preview,
        language=row.language,
        muted=list(muted.values_list("conversation_id", flat=True)),
        watch=row.watch,
    )


def render_settings(chosen: Settings) -> dict[str, Any]:
    quiet = chosen.quiet_hours
    return {
        "kinds": dict(chosen.deliveries),
        "quietHours": quiet and {"from": f"{quiet.start:%H:%M}", "to": f"{quiet.end:%H:%M}"},
        "preview": chosen.preview,
        "language": chosen.language or get_language(),
        "muted": [each.hex for each in chosen.muted],
        "watch": chosen.watch,
    }


@transaction.atomic
def change_settings(account_id: int, changes: Mapping[str, Any]) -> Settings:
    """Change what `changes` names, by the fields of `Settings`; `deliveries` names only kinds to
    change."""
    # Two changes at once each keep what the other did not name.
    Account.objects.select_for_update(no_key=True).filter(pk=account_id).first()
    row = keep_language(account_id)
    for name in ("preview", "language", "watch"):
        setattr(row, name, changes.get(name, getattr(row, name)))
    if "quiet_hours" in changes:
        quiet: QuietHours | None = changes["quiet_hours"]
        row.quiet_from = quiet.start if quiet else None
        row.quiet_to = quiet.end if quiet else None
    row.save()
    for kind, delivery in changes.get("deliveries", {}).items():
        KindSetting.objects.update_or_create(
            account_id=account_id, kind=kind, defaults={"delivery": delivery}
        )
    if "muted" in changes:
        MutedConversation.objects.filter(account_id=account_id).delete()
        MutedConversation.objects.bulk_create(
            MutedConversation(account_id=account_id, conversation_id=each)
            for each in dict.fromkeys(changes["muted"])
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


def deliveries_of(account_ids: Iterable[int], kind: str) -> dict[int, str]:
    """How each person is told of a kind, where they chose it: `off`, `list` or `push`."""
    chosen = KindSetting.objects.filter(account__in=account_ids, kind=kind)
    return dict(chosen.values_list("account_id", "delivery"))


def delivery_of(account_id: int, kind: str) -> str:
    """As `deliveries_of`, for one person; `list` where they chose nothing."""
    return deliveries_of([account_id], kind).get(account_id, LIST)


def languages_of(account_ids: Iterable[int]) -> dict[int, str]:
    """The language of each person who chose one."""
    rows = NotificationSettings.objects.filter(pk__in=account_ids).exclude(language="")
    return dict(rows.values_list("pk", "language"))


@contextmanager
def in_own_language(account_id: int) -> Iterator[None]:
    """In the language that a person chose, else in that of the request."""
    with translation.override(languages_of([account_id]).get(account_id) or get_language()):
        yield


def _row(account_id: int) -> NotificationSettings:
    return NotificationSettings.objects.filter(pk=account_id).first() or NotificationSettings()


def _quiet_hours(row: NotificationSettings) -> QuietHours | None:
    if row.quiet_from is None or row.quiet_to is None:
        return None
    return QuietHours(row.quiet_from, row.quiet_to)
