"""What other apps may hear of. Receivers publish; they never do a business step."""

from django.dispatch import Signal

# kwargs: account_id: int, session_key: str, reason: "logout" | "suspended" | "expired"
session_ended = Signal()

# kwargs: account_id: int
account_suspended = Signal()

# A new display name or picture, committed. kwargs: account_id: int
profile_changed = Signal()
