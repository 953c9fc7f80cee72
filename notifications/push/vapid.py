"""The key with which this service signs its pushes (VAPID, RFC 8292)."""

import base64
import time
from functools import lru_cache
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

from notifications.errors import PushOff

# Signatures are valid for half a day, and used for an hour.
_VALID_SECONDS: Final = 12 * 3600
_USED_SECONDS: Final = 3600


def public_key() -> str:
    """The key that browsers subscribe with: 65 bytes in base64url. Raises: PushOff."""
    if not settings.VAPID_PRIVATE_KEY:
        raise PushOff
    point = read_private_key(settings.VAPID_PRIVATE_KEY).public_key()
    raw = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def authorization(origin: str) -> str:
    """The `Authorization` header of a push to this origin."""
    return _signed(origin, int(time.time()) // _USED_SECONDS)


def new_private_key() -> str:
    """32 bytes in base64url."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return base64.urlsafe_b64encode(number.to_bytes(32, "big")).decode().rstrip("=")


def read_private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """Raises: ValueError for anything but 32 bytes in base64url that are a key."""
    raw = base64.b64decode(text.rstrip("=") + "=", altchars=b"-_", validate=True)
    if len(raw) != 32:
        raise ValueError("not 32 bytes")
    return ec.derive_private_key(int.from_bytes(raw, "big"), ec.SECP256R1())


@lru_cache(maxsize=64)
def _signed(origin: str, hour: int) -> str:
    key = Vapid02(read_private_key(settings.VAPID_PRIVATE_KEY))
    claims = {
        "aud": origin,
        "exp": hour * _USED_SECONDS + _VALID_SECONDS,
        "sub": settings.VAPID_SUBJECT,
    }
    return str(key.sign(claims)["Authorization"])
