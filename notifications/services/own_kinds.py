"""The kinds of this app: what happened to one's account, and the test of a push."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _

import store
from accounts.devices import device_name
from accounts.encryption import keyed_hash
from accounts.models import AccountWarning
from accounts.notification_types import NotificationItem, NotificationKind, NotificationText
from store import StoreUnavailable

# A new sign-in is told once for each device label in this time.
DEVICE_SECONDS: Final = 30 * 86_400


def was_told_of_device(account_id: int, device: str) -> bool:
    """Whether a sign-in from a device with this label was told to the account in the last 30 days;
    if not, it counts as told now. While Redis is away, and after it was emptied, it was not."""
    key = f"sign-in-told:{keyed_hash('sign-in told', str(account_id), device)}"
    now = time.time()
    try:
        told_at = store.get(key)
        if told_at is not None and now - float(told_at) < DEVICE_SECONDS:
            return True
        store.put(key, str(now).encode(), DEVICE_SECONDS)
    except StoreUnavailable:
        pass
    return False


def describe_account(items: Sequence[NotificationItem]) -> dict[UUID, NotificationText]:
    wanted = {UUID(hex=shown) for item in items if (shown := item.details.get("warning"))}
    rows = AccountWarning.objects.filter(public_id__in=wanted) if wanted else ()
    warnings = {(row.account_id, row.public_id.hex): row.text for row in rows}
    return {item.id: _account_text(item, warnings) for item in items}


def _account_text(
    item: NotificationItem, warnings: Mapping[tuple[int, str], str]
) -> NotificationText:
    """`details` has the `event`, and what that event is about. `warnings` are the sentences of
    moderators, by account and id."""
    data: dict[str, Any] = {}
    device = device_name(item.details.get("device", "")) or _("an unknown device")
    match item.details.get("event"):
        case "sign_in":
            title = _("New sign-in")
            body = _("Somebody signed in to your account with %(device)s.") % {"device": device}
            url, data = "/settings/sessions", {"sessionId": item.details["session"]}
        case "warning":
            title, url = _("You have a warning"), "/profile"
            body = warnings.get((item.account_id, item.details.get("warning", ""))) or _(
                "The staff of your school have sent you a warning. It is in your profile."
            )
        case "sign_in_again":
            title, url = _("Please sign in again"), "/login"
            body = _("Your login has ended. Until you sign in again, you are told nothing new.")
        case "push_stopped":
            title, url = _("Notifications stopped"), "/settings/notifications"
            body = _("%(device)s could not be reached for a week.") % {"device": device}
        case _:
            title, body, url = _("Your account has changed"), "", "/profile"
    return NotificationText(title=title, body=body, summary=title, url=url, data=data)


def describe_test(items: Sequence[NotificationItem]) -> dict[UUID, NotificationText]:
    title, body = _("It works"), _("This is how notifications look on this device.")
    text = NotificationText(title=title, body=body, summary=title)
    return {item.id: text for item in items}


ACCOUNT = NotificationKind(name="account", describe=describe_account, urgent=True, pushed=True)
TEST = NotificationKind(name="test", describe=describe_test)
