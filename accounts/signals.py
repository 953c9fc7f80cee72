"""Signals to the apps above. Receivers only publish; they never do a business step."""

from django.dispatch import Signal

# kwargs: account_id: int, session_key: str, reason: "logout" | "suspended" | "expired"
session_ended = Signal()

# kwargs: account_id: int
account_suspended = Signal()

# A person has a new warning, and it is committed. kwargs: account_id: int
account_warned = Signal()

# The display name or the avatar changed, and is committed. kwargs: account_id: int
profile_changed = Signal()
