"""Members of staff, the second factor with which they sign in, and the audit log.

These models have the app label `accounts`, where they were made. Their tables, migrations,
permissions (`accounts.view_auditentry`) and addresses on the staff site have that label.
"""

import time
from base64 import b32encode
from urllib.parse import quote, urlencode

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.utils.translation import gettext_lazy as _
from django_otp.models import Device, ThrottlingMixin
from django_otp.oath import TOTP
from django_otp.util import random_hex

from accounts.encryption import SecretTextField

# Those of `ThrottlingMixin`.
_THROTTLE_FIELDS = ("throttling_failure_timestamp", "throttling_failure_count")


class StaffMember(models.Model):
    """A Django user who is staff. Deleted when they are removed; the user stays, because the audit
    log refers to it. `schools` are slugs; an empty list means all schools."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="staff_member")
    schools = models.JSONField(default=list, blank=True)

    class Meta:
        app_label = "accounts"
        verbose_name = _("member of staff")
        verbose_name_plural = _("members of staff")

    def __str__(self) -> str:
        return self.user.get_username()


class StaffDevice(ThrottlingMixin, Device):  # type: ignore[misc]
    """The authenticator app of a member of staff: a TOTP device (RFC 6238: six digits, half a
    minute) with an encrypted key. A code works once."""

    # In hexadecimal.
    key = SecretTextField(bound_to="user_id", default=random_hex)
    # How many steps the app's clock differs from ours, and the step of the last code.
    drift = models.SmallIntegerField(default=0)
    last_t = models.BigIntegerField(default=-1)

    class Meta(Device.Meta):  # type: ignore[misc]
        app_label = "accounts"
        abstract = False

    @property
    def bin_key(self) -> bytes:
        return bytes.fromhex(self.key)

    def verify_token(self, token: str) -> bool:
        """Whether the code is right, now or one step away, and newer than the last one."""
        if not self.verify_is_allowed()[0]:
            return False
        totp = TOTP(self.bin_key, drift=self.drift)
        totp.time = time.time()
        digits = str(token).strip()
        valid = digits.isascii() and digits.isdigit() and len(digits) == totp.digits
        if not valid or not totp.verify(int(digits), tolerance=1, min_t=self.last_t + 1):
            self.throttle_increment()
            return False
        self.last_t, self.drift = totp.t(), totp.drift
        self.throttle_reset(commit=False)
        self.save(update_fields=["last_t", "drift", *_THROTTLE_FIELDS])
        return True

    def get_throttle_factor(self) -> int:
        """Seconds to wait after the first wrong code; doubled after each further one."""
        return 1

    @property
    def config_url(self) -> str:
        """The `otpauth:` URL for the authenticator app."""
        issuer = settings.OTP_TOTP_ISSUER
        secret = b32encode(self.bin_key).decode()
        query = urlencode({"secret": secret, "issuer": issuer}, quote_via=quote)
        return f"otpauth://totp/{quote(f'{issuer}:{self.user.get_username()}')}?{query}"


class AuditEntry(models.Model):
    """One page that a member of staff viewed, or one action of staff or of a command.

    Never changed: the database refuses it (migration `staff`); `purge_audit` deletes old entries.
    Names are kept as text, as they were at that moment: they outlive accounts and members of staff.
    The defaults in the database are for the previous version, which does not know all columns.
    """

    at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)
    # None for a command.
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("member of staff"),
        null=True,
        on_delete=models.PROTECT,
        related_name="audit_entries",
    )
    staff_name = models.CharField(
        _("staff name"), max_length=150, blank=True, default="", db_default=""
    )
    # The management command, and the operating-system user who ran it.
    command = models.CharField(_("command"), max_length=60, blank=True, default="", db_default="")
    system_user = models.CharField(
        _("system user"), max_length=60, blank=True, default="", db_default=""
    )
    action = models.CharField(_("action"), max_length=40)
    # Whom it touched: not a foreign key, because the entry stays when the account is erased.
    account_id = models.BigIntegerField(_("account id"), null=True, db_index=True)
    account_name = models.CharField(
        _("public name"), max_length=300, blank=True, default="", db_default=""
    )
    case_id = models.CharField(_("case"), max_length=64, blank=True, default="", db_default="")
    target = models.CharField(_("target"), max_length=300, blank=True)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    # The network of the address, as in the logs.
    address = models.CharField(_("network"), max_length=45, blank=True)
    # Account name, case, target and reason, normalized for search.
    search_key = models.TextField(blank=True, default="", db_default="")

    class Meta:
        app_label = "accounts"
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
