"""One login of one person on one device."""

import secrets
from datetime import UTC, datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SecretTextField
from accounts.models.accounts import Account

# Encrypted columns.
SECRETS = ("access_token", "refresh_token", "token_expires_at", "school", "upstream_user_id")


def new_session_id() -> str:
    """A random id of 128 bits, as `/api/sessions` shows it."""
    return secrets.token_urlsafe(16)


class ServiceSessionQuerySet(models.QuerySet["ServiceSession"]):
    def without_secrets(self) -> "ServiceSessionQuerySet":
        """With the account, and without the secrets but the expiry."""
        deferred = [name for name in SECRETS if name != "token_expires_at"]
        return self.select_related("account").defer(*deferred)


class ServiceSession(models.Model):
    """A login: token, expiry, school and user id, all encrypted.

    Found by keyed hashes only: of the access token that the client was given last, of the current
    cookie pair and, for a minute, of the previous one. The encrypted values are bound to the
    account: copied into another account's row, they are unreadable.
    """

    id = models.CharField(primary_key=True, max_length=22, default=new_session_id)
    account = models.ForeignKey(
        Account, verbose_name=_("account"), on_delete=models.CASCADE, related_name="sessions"
    )
    access_token = SecretTextField(bound_to="account_id")
    refresh_token = SecretTextField(bound_to="account_id", null=True)
    token_expires_at = SecretTextField(bound_to="account_id")
    school = SecretTextField(bound_to="account_id")
    upstream_user_id = SecretTextField(bound_to="account_id")
    token_hash = models.CharField(max_length=64, unique=True)
    pair_hash = models.CharField(max_length=64, unique=True)
    previous_pair_hash = models.CharField(max_length=64, null=True, db_index=True)
    previous_pair_until = models.DateTimeField(null=True)
    # Who signed in through the school's own page; null after a password.
    page_kind = models.CharField(max_length=8, null=True, blank=True)
    # How long the refresh token keeps the login alive; null without one.
    renews_until = models.DateTimeField(null=True, blank=True)
    device = models.CharField(_("device"), max_length=40, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used at"))

    objects = ServiceSessionQuerySet.as_manager()

    class Meta:
        verbose_name = _("login")
        verbose_name_plural = _("logins")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @property
    def expires_at(self) -> datetime:
        """When the access token expires, in UTC. Raises `SecretUnreadable` without its key."""
        return datetime.fromisoformat(self.token_expires_at).astimezone(UTC)

    @property
    def ends_at(self) -> datetime:
        """When the login ends, in UTC: with the access token, or later where that is renewed.
        Raises `SecretUnreadable` without its key."""
        expires_at = self.expires_at
        return max(expires_at, self.renews_until) if self.renews_until else expires_at

    def seconds_left(self, now: datetime) -> int:
        """Whole seconds until the token expires, 0 when it has."""
        return max(0, int((self.expires_at - now).total_seconds()))

    def login_seconds_left(self, now: datetime) -> int:
        """Whole seconds until the login ends, 0 when it has."""
        return max(0, int((self.ends_at - now).total_seconds()))


class EndedCookiePair(models.Model):
    """A pair whose session was ended here, or that a refresh has replaced: its record accepts that
    one for a minute all the same. Upstream may accept a pair for longer, and without a record it
    would be taken for the pair of a client that signed in at upstream itself. `until` is when
    upstream has forgotten it, too."""

    pair_hash = models.CharField(primary_key=True, max_length=64)
    until = models.DateTimeField(db_index=True)
