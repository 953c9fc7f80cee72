"""The texts of notifications, from their kinds."""

from collections import defaultdict
from collections.abc import Iterable
from uuid import UUID

from accounts.notification_types import NotificationItem, NotificationText
from accounts.registry import notification_kinds
from notifications.models import Notification


def describe(
    notifications: Iterable[Notification], *, names: bool = True
) -> dict[UUID, NotificationText | None]:
    """The text of each notification, in the current language; `names` as in `NotificationItem`.

    None: what it is about is gone. One whose details no key opens is missing.
    """
    kinds = notification_kinds()
    items: dict[str, list[NotificationItem]] = defaultdict(list)
    for notification in notifications:
        details = notification.read_details()
        if details is not None and notification.kind in kinds:
            items[notification.kind].append(
                NotificationItem(
                    id=notification.pk,
                    account_id=notification.account_id,
                    about=notification.about,
                    details=details,
                    created_at=notification.created_at,
                    read=notification.read_at is not None,
                    names=names,
                )
            )
    texts: dict[UUID, NotificationText | None] = {}
    for name, of_kind in items.items():
        described = kinds[name].describe(of_kind)
        texts |= {item.id: described.get(item.id) for item in of_kind}
    return texts
