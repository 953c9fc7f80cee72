"""Signals to the apps above. Receivers publish; those of `settings_changed` also act on it."""

from django.dispatch import Signal

# A notification was written, in the current transaction. kwargs: notifications: list[Notification]
notifications_created = Signal()

# kwargs: account_id: int, ids: list[UUID], unread: int
notifications_read = Signal()

# The settings of a person changed, in the current transaction. kwargs: account_id: int
settings_changed = Signal()
