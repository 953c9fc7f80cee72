"""Members of staff, and the second factor with which they sign in."""

import secrets
import time
from base64 import b32encode
from urllib.parse import quote, urlencode

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.utils.translation import gettext_lazy as _
from django_otp.models import Device, ThrottlingMixin
from django_otp.oath import TOTP

from accounts.encryption import SecretTextField

KEY_BYTES = 20
# Those of `ThrottlingMixin`.
_THROTTLE_FIELDS = ("throttling_failure_timestamp", "throttling_failure_count")


def new_device_key() -> str:
    return secrets.token_hex(KEY_BYTES)


class StaffMember(models.Model):
    """A Django user who is staff. Deleted when they are removed; the user stays, because the audit
    log refers to it. `schools` are slugs; an empty list means all schools."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="staff_member")
    schools = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name = _("member of staff")
        verbose_name_plural = _("members of staff")

    def __str__(self) -> str:
        return self.user.get_username()


class StaffDevice(ThrottlingMixin, Device):  # type: ignore[misc]
    """The authenticator app of a member of staff: a TOTP device (RFC 6238: six digits, half a
    minute) with an encrypted key. A code works once."""

    # In hexadecimal.
    key = SecretTextField(bound_to="user_id", unbound_before=True, default=new_device_key)
    # How many steps the app's clock differs from ours, and the step of the last code.
    drift = models.SmallIntegerField(default=0)
    last_t = models.BigIntegerField(default=-1)

    class Meta(Device.Meta):  # type: ignore[misc]
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
