from dataclasses import dataclass, field
from uuid import uuid4

import orjson
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SecretTextField, SecretUnreadable
from accounts.models import Account
from accounts.sealed_before import SealedBefore


@dataclass(frozen=True, slots=True)
class BrowserSubscription:
    """What a browser gives us: the endpoint, a point on P-256 (65 bytes), and 16 bytes."""

    endpoint: str = field(repr=False)
    p256dh: bytes = field(repr=False)
    auth: bytes = field(repr=False)


class PushSubscription(models.Model):
    """Where a browser or an app of one login receives pushes (RFC 8030).

    `browser` is the `BrowserSubscription` as JSON. `ends_since` is when the login died: the push
    that says so is the last one.
    """

    id = models.UUIDField(primary_key=True, default=uuid4)
    account = models.ForeignKey(
        Account,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        related_name="push_subscriptions",
    )
    session_key = models.CharField(max_length=64, db_index=True)
    endpoint_hash = models.CharField(max_length=64, unique=True)
    browser = SecretTextField(
        bound_to="account_id",
        sealed_before=SealedBefore("push subscription", "pk"),
        db_column="sealed",
    )
    host = models.CharField(max_length=255)
    device = models.CharField(_("device"), max_length=40, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    ends_since = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    @property
    def is_failing(self) -> bool:
        return self.failing_since is not None

    def set_browser(self, browser: BrowserSubscription) -> None:
        values = [browser.endpoint, browser.p256dh.hex(), browser.auth.hex()]
        self.browser = orjson.dumps(values).decode()

    def read_browser(self) -> BrowserSubscription | None:
        """None when no key opens it."""
        try:
            endpoint, p256dh, auth = orjson.loads(self.browser)
        except SecretUnreadable:
            return None
        return BrowserSubscription(endpoint, bytes.fromhex(p256dh), bytes.fromhex(auth))
