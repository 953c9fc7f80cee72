"""What happens in `accounts`: people are told, and pushes end."""

from typing import Any
from uuid import UUID

from django.dispatch import receiver

from accounts.signals import account_refused, account_warned, session_ended, signed_in_again
from notifications.services.notify import notify
from notifications.services.own_kinds import was_told_of_device
from notifications.services.subscriptions import end_all_subscriptions, end_subscriptions


@receiver(signed_in_again)
def tell_of_sign_in(*, account_id: int, session_key: str, device: str, **_kwargs: Any) -> None:
    if not was_told_of_device(account_id, device):
        details = {"event": "sign_in", "device": device, "session": session_key}
        notify(account_id, "account", details=details)


@receiver(account_warned)
def tell_of_warning(*, account_id: int, warning: UUID, **_kwargs: Any) -> None:
    notify(account_id, "account", details={"event": "warning", "warning": warning.hex})


@receiver(session_ended)
def end_pushes_of_login(*, account_id: int, session_key: str, reason: str, **_kwargs: Any) -> None:
    end_subscriptions(account_id, session_key, expired=reason == "expired")


@receiver(account_refused)
def end_pushes_of_account(*, account_id: int, **_kwargs: Any) -> None:
    end_all_subscriptions(account_id)
