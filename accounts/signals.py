"""Signals to the apps above, whose receivers publish and notify. Those of `role_changed` also end
contacts. No rule of this app depends on one."""

from django.dispatch import Signal

# kwargs: account_id: int, session_key: str, reason: "logout" | "suspended" | "expired"
session_ended = Signal()

# All logins of an account at once, in the transaction that refuses its requests.
# kwargs: account_id: int, reason: "suspended" | "logout" (its account is being erased)
account_refused = Signal()

# A person has a new warning, in the current transaction.
# kwargs: account_id: int, warning: UUID (its public id)
account_warned = Signal()

# An account has another role, in the transaction that gave it, with the account locked. Contacts
# that the new role may not have are ended. kwargs: account_id: int
role_changed = Signal()

# The display name or the avatar changed, and is committed. kwargs: account_id: int
profile_changed = Signal()

# Somebody signed in while the account had other logins, in the transaction that made the record.
# kwargs: account_id: int, session_key: str, device: str
signed_in_again = Signal()
