from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, ClassVar
from uuid import uuid4

import orjson
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SecretTextField, SecretUnreadable, values_for_update
from accounts.models import Account


@dataclass(frozen=True, slots=True)
class BrowserSubscription:
    """What a browser gives us: the endpoint, a point on P-256 (65 bytes), and 16 bytes."""

    endpoint: str = field(repr=False)
    p256dh: bytes = field(repr=False)
    auth: bytes = field(repr=False)


class PushSubscription(models.Model):
    """Where a browser or an app of one login receives pushes (RFC 8030).

    `browser` is the `BrowserSubscription` as JSON. `ends_since` is when the login died: the push
    that says so is the last one. With `gone_at` its push service has ended it, or it could not be
    reached: nothing but its device is known any more, and the app may subscribe anew.

    Since the last push that arrived it has failed on `failures` days, from `failing_since` to
    `failed_at`.
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
    browser = SecretTextField(bound_to="account_id", in_bytes=True, db_column="sealed")
    host = models.CharField(max_length=255)
    device = models.CharField(_("device"), max_length=40, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    failures = models.PositiveSmallIntegerField(default=0, db_default=0)
    ends_since = models.DateTimeField(null=True)
    gone_at = models.DateTimeField(null=True)

    # What the columns hold after a push that arrived.
    NO_FAILURES: ClassVar[dict[str, Any]] = {
        "failing_since": None,
        "failed_at": None,
        "failures": 0,
    }

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    @property
    def is_failing(self) -> bool:
        return self.failing_since is not None

    def count_failure(self) -> None:
        """Count this day among those on which it has failed."""
        now = timezone.now()
        same = PushSubscription.objects.filter(pk=self.pk)
        same.filter(failing_since=None).update(failing_since=now)
        another_day = Q(failed_at=None) | Q(failed_at__lt=now - timedelta(days=1))
        same.filter(another_day).update(failed_at=now, failures=F("failures") + 1)

    def end(self) -> bool:
        """Keep of it only that it is gone, if it was there; returns whether it was."""
        now = timezone.now()
        self.browser = ""
        nothing = values_for_update(self, "browser")
        same = PushSubscription.objects.filter(pk=self.pk, gone_at=None)
        # `ends_since`: nothing is pushed to it any more.
        forgotten = f"gone {self.pk.hex}"
        return bool(same.update(gone_at=now, ends_since=now, endpoint_hash=forgotten, **nothing))

    def set_browser(self, browser: BrowserSubscription) -> None:
        values = [browser.endpoint, browser.p256dh.hex(), browser.auth.hex()]
        self.browser = orjson.dumps(values).decode()

    def read_browser(self) -> BrowserSubscription | None:
        """None when no key opens it, or it is gone."""
        try:
            if not (browser := self.browser):
                return None
        except SecretUnreadable:
            return None
        endpoint, p256dh, auth = orjson.loads(browser)
        return BrowserSubscription(endpoint, bytes.fromhex(p256dh), bytes.fromhex(auth))
