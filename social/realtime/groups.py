"""Groups of the channel layer. An account's id or a hash of a session's key, never a name."""

import hashlib


def account_group(account_id: int) -> str:
    """All sockets of one account."""
    return f"account.{account_id}"


def session_group(session_key: str) -> str:
    """All sockets of one session. The key is hashed: group names show up in Redis."""
    return f"session.{hashlib.sha256(session_key.encode()).hexdigest()[:40]}"
