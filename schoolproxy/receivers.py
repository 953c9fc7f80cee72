"""Begins and ends a watch when settings of notifications change or a login ends."""

from typing import Any

from django.dispatch import receiver

from accounts.signals import session_ended
from notifications.signals import settings_changed
from schoolproxy.services.watch.watches import apply_settings, drop_without_login


@receiver(settings_changed)
def _follow_settings(*, account_id: int, **_: Any) -> None:
    apply_settings(account_id)


@receiver(session_ended)
def _forget_what_was_seen(*, account_id: int, **_: Any) -> None:
    drop_without_login(account_id)
