"""Receivers of the signals of `accounts`. They only publish."""

from typing import Any

from django.dispatch import receiver

from accounts.signals import (
    account_suspended,
    account_warned,
    profile_changed,
    session_ended,
)
from social.realtime.events import EndReason, SessionEnded
from social.realtime.publish import Delivery, publish_on_commit
from social.services.profiles import profile_recipients, publish_profile


@receiver(session_ended)
def close_sockets_of_session(*, session_key: str, reason: EndReason, **_kwargs: Any) -> None:
    """Logout, suspension or expiry: the session's sockets receive the reason and are closed."""
    publish_on_commit([Delivery.to_session(session_key, SessionEnded(reason=reason))])


@receiver(account_suspended)
def close_sockets_of_account(*, account_id: int, **_kwargs: Any) -> None:
    publish_on_commit([Delivery.to_accounts([account_id], SessionEnded(reason="suspended"))])


@receiver(profile_changed)
def publish_new_profile(*, account_id: int, **_kwargs: Any) -> None:
    publish_profile(account_id, profile_recipients(account_id))


@receiver(account_warned)
def publish_own_profile(*, account_id: int, **_kwargs: Any) -> None:
    """Nobody else learns of a warning."""
    publish_profile(account_id, [account_id])
