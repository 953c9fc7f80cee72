"""One login of one person on one device."""

import secrets
from datetime import UTC, datetime

from django.db import models
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SecretTextField, SecretUnreadable, reveal
from accounts.models.accounts import Account

# Encrypted columns. Read them with `ServiceSession.secret` only.
SECRETS = ("access_token", "refresh_token", "token_expires_at", "school", "upstream_user_id")


def new_session_id() -> str:
    """A random id of 128 bits, as `/api/sessions` shows it."""
    return secrets.token_urlsafe(16)


class ServiceSessionQuerySet(models.QuerySet["ServiceSession"]):
    def without_secrets(self) -> "ServiceSessionQuerySet":
        """With the account. Secrets are deferred, so that what needs none works without their key;
        `expires_at` is decrypted when it is read, without another query."""
        expiry = Cast("token_expires_at", models.TextField())
        return self.select_related("account").defer(*SECRETS).annotate(expiry_ciphertext=expiry)


class ServiceSession(models.Model):
    """A login: token, expiry, school and user id, all encrypted.

    Found by keyed hashes only: of the access token, of the current cookie pair and, for a minute,
    of the previous one. Each encrypted value begins with the id of its account, so that a value
    copied into another account's row is unreadable. `secret()` reads them.
    """

    id = models.CharField(primary_key=True, max_length=22, default=new_session_id)
    account = models.ForeignKey(
        Account, verbose_name=_("account"), on_delete=models.CASCADE, related_name="sessions"
    )
    access_token = SecretTextField()
    refresh_token = SecretTextField(null=True)
    token_expires_at = SecretTextField()
    school = SecretTextField()
    upstream_user_id = SecretTextField()
    token_hash = models.CharField(max_length=64, unique=True)
    pair_hash = models.CharField(max_length=64, unique=True)
    previous_pair_hash = models.CharField(max_length=64, null=True, db_index=True)
    previous_pair_until = models.DateTimeField(null=True)
    device = models.CharField(_("device"), max_length=40, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used at"))

    objects = ServiceSessionQuerySet.as_manager()

    class Meta:
        verbose_name = _("login")
        verbose_name_plural = _("logins")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    def set_secret(self, name: str, value: str | None) -> None:
        """Set an encrypted field, bound to this record's account."""
        setattr(self, name, None if value is None else f"{self.account_id}|{value}")

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
        """When the access token expires, in UTC. Raises `SecretUnreadable` without its key."""
        if "token_expires_at" in self.get_deferred_fields() and hasattr(self, "expiry_ciphertext"):
            sealed = "ServiceSession.token_expires_at"
            vars(self)["token_expires_at"] = reveal(self.expiry_ciphertext, sealed)
        return datetime.fromisoformat(self.secret("token_expires_at") or "").astimezone(UTC)

    def seconds_left(self, now: datetime) -> int:
        """Whole seconds until the token expires, 0 when it has."""
        return max(0, int((self.expires_at - now).total_seconds()))
