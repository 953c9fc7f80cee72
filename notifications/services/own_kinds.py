"""The kinds of this app: what happened to one's account, and the test of a push."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.notification_types import NotificationItem, NotificationKind, NotificationText


def describe_account(items: Sequence[NotificationItem]) -> dict[UUID, NotificationText]:
    return {item.id: _account_text(item) for item in items}


def _account_text(item: NotificationItem) -> NotificationText:
    """`details` has the `event`, and what that event is about."""
    data: dict[str, Any] = {}
    device = item.details.get("device") or _("an unknown device")
    match item.details.get("event"):
        case "sign_in":
            title = _("New sign-in")
            body = _("Somebody signed in to your account with %(device)s.") % {"device": device}
            url, data = "/settings/sessions", {"sessionId": item.details["session"]}
        case "warning":
            title, url = _("You have a warning"), "/profile"
            body = _("The staff of your school have sent you a warning. It is in your profile.")
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


ACCOUNT = NotificationKind(name="account", describe=describe_account, urgent=True)
TEST = NotificationKind(name="test", describe=describe_test)
