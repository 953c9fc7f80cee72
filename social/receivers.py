"""What this app hears from below. Nothing happens here but publishing."""

from typing import Any

from django.dispatch import receiver

from accounts.signals import account_suspended, profile_changed, session_ended
from social.realtime.events import EndReason, SessionEnded
from social.realtime.publish import ToAccounts, ToSession, publish_on_commit
from social.services.acquaintances import publish_profile


@receiver(session_ended)
def close_the_sockets_of_a_session(*, session_key: str, reason: EndReason, **_kwargs: Any) -> None:
    """Logout, suspension or expiry: the session's sockets hear why and are closed."""
    publish_on_commit([ToSession(session_key, SessionEnded(reason=reason))])


@receiver(account_suspended)
def close_the_sockets_of_an_account(*, account_id: int, **_kwargs: Any) -> None:
    """Whichever session they belong to."""
    publish_on_commit([ToAccounts([account_id], SessionEnded(reason="suspended"))])


@receiver(profile_changed)
def show_the_new_profile(*, account_id: int, **_kwargs: Any) -> None:
    """To the person's own windows, and to everybody who sees the name somewhere."""
    publish_profile(account_id)
