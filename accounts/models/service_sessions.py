"""One login of one person on one device."""

import secrets
from datetime import UTC, datetime

from django.db import models

from accounts.encryption import SecretTextField, SecretUnreadable, reveal
from accounts.models.accounts import Account

# The columns that only `ServiceSession.secret` reads.
SECRETS = ("access_token", "refresh_token", "token_expires_at", "school", "upstream_user_id")


def new_session_id() -> str:
    """128 random bits, url-safe; an opaque id for `/api/sessions`."""
    return secrets.token_urlsafe(16)


class ServiceSession(models.Model):
    """The session record as specified: token, expiry, school and user id, all encrypted.

    Found by keyed hashes only: of the access token, and of the current and, for a minute, the
    previous cookie pair. Each encrypted value begins with the id of its account, so that a value
    copied onto another person's row is unreadable there. The secrets are read by `secret()`.
    """

    id = models.CharField(primary_key=True, max_length=22, default=new_session_id)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="sessions")
    access_token = SecretTextField()
    refresh_token = SecretTextField(null=True)
    token_expires_at = SecretTextField()
    school = SecretTextField()
    upstream_user_id = SecretTextField()
    token_hash = models.CharField(max_length=64, unique=True)
    pair_hash = models.CharField(max_length=64, unique=True)
    previous_pair_hash = models.CharField(max_length=64, null=True, db_index=True)
    previous_pair_until = models.DateTimeField(null=True)
    device = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"session of account {self.account_id}"

    def set_secret(self, name: str, value: str | None) -> None:
        """Set an encrypted field, bound to this record's account."""
        setattr(self, name, None if value is None else f"{self.account_id}|{value}")

    def reveal(self, name: str, ciphertext: str) -> None:
        """Fill a deferred field from its ciphertext. Raises `SecretUnreadable` without its key."""
        setattr(self, name, reveal(ciphertext, f"ServiceSession.{name}"))

    def secret(self, name: str) -> str | None:
        """Read an encrypted field. Raises `SecretUnreadable` for another account's value."""
        stored: str | None = getattr(self, name)
        if stored is None:
            return None
        owner, bar, value = stored.partition("|")
        if not bar or owner != str(self.account_id):
            raise SecretUnreadable(f"ServiceSession.{name}")
        return value

    @property
    def expires_at(self) -> datetime:
        """When the access token ends, in UTC."""
        return datetime.fromisoformat(self.secret("token_expires_at") or "").astimezone(UTC)

    def seconds_left(self, now: datetime) -> int:
        """Whole seconds of the token's life, 0 when it is over."""
        return max(0, int((self.expires_at - now).total_seconds()))
