"""What a receiver of pushes does: decrypt them (RFC 8291), and check who signed them (RFC 8292).

Written from these two documents with nothing but primitives, so that it can disagree with
what the service does.
"""

import base64
import json
import secrets
import time
from dataclasses import dataclass, field
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_P256: Final = ec.SECP256R1()
_DAY: Final = 24 * 3600
_TAG: Final = 16


class Unreadable(Exception):
    """This is no push for this receiver."""


class NotSigned(Exception):
    """The header does not prove who sent the push."""


def to_base64(raw: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def from_base64(text: str) -> bytes:
    """Raises: ValueError for anything but base64url; padding may be missing."""
    plain = text.rstrip("=")
    return base64.b64decode(plain + "=" * (-len(plain) % 4), altchars=b"-_", validate=True)


def public_bytes(key: ec.EllipticCurvePublicKey) -> bytes:
    """The 65 bytes of the uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass(frozen=True)
class Receiver:
    """The keys of one subscription."""

    private: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(_P256)
    )
    auth: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def keys(self) -> dict[str, str]:
        """As `PushSubscription.toJSON()` has them."""
        public = public_bytes(self.private.public_key())
        return {"p256dh": to_base64(public), "auth": to_base64(self.auth)}

    def decrypt(self, body: bytes) -> bytes:
        """The text of a push. Raises: Unreadable."""
        salt, record_size, sender, encrypted = _split(body)
        # A push is one record (RFC 8291, section 4).
        if record_size < _TAG + 2 or not _TAG < len(encrypted) <= record_size:
            raise Unreadable("not one record")
        try:
            secret = self._shared_secret(sender)
            key = _derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
            nonce = _derive(salt, secret, b"Content-Encoding: nonce\0", 12)
            padded = AESGCM(key).decrypt(nonce, encrypted, None)
        except Exception as error:
            raise Unreadable(type(error).__name__) from error
        text, delimiter, padding = padded.rpartition(b"\2")
        if not delimiter or padding.strip(b"\0"):
            raise Unreadable("no last record")
        return text

    def _shared_secret(self, sender: bytes) -> bytes:
        point = ec.EllipticCurvePublicKey.from_encoded_point(_P256, sender)
        own = public_bytes(self.private.public_key())
        shared = self.private.exchange(ec.ECDH(), point)
        return _derive(self.auth, shared, b"WebPush: info\0" + own + sender, 32)


def _split(body: bytes) -> tuple[bytes, int, bytes, bytes]:
    """Salt, record size, key id and records (RFC 8188, section 2.1)."""
    if len(body) < 21 or len(body) < 21 + body[20]:
        raise Unreadable("no header")
    end = 21 + body[20]
    return body[:16], int.from_bytes(body[16:20], "big"), body[21:end], body[end:]


def _derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


@dataclass(frozen=True)
class Signature:
    """Who signed a push: `key` is the public one in base64url."""

    key: str
    claims: dict[str, Any]


def verify_vapid(header: str, audience: str) -> Signature:
    """Check `Authorization: vapid t=..., k=...` for the push service at this origin.

    Raises: NotSigned.
    """
    scheme, _, rest = header.partition(" ")
    fields = dict(part.strip().partition("=")[::2] for part in rest.split(","))
    if scheme.lower() != "vapid" or set(fields) != {"t", "k"}:
        raise NotSigned("not vapid")
    try:
        claims = _read_token(fields["t"], from_base64(fields["k"]))
    except (ValueError, InvalidSignature) as error:
        raise NotSigned(type(error).__name__) from error
    if claims.get("aud") != audience:
        raise NotSigned("for somebody else")
    if not 0 < claims.get("exp", 0) - time.time() <= _DAY:
        raise NotSigned("expired, or valid for more than a day")
    if not str(claims.get("sub", "")).startswith(("mailto:", "https:")):
        raise NotSigned("nobody to contact")
    return Signature(fields["k"], claims)


def _read_token(token: str, key: bytes) -> dict[str, Any]:
    """The claims of a JSON Web Token of ES256. Raises: ValueError, InvalidSignature."""
    head, claims, signature = token.split(".")
    if json.loads(from_base64(head)) != {"typ": "JWT", "alg": "ES256"}:
        raise ValueError("another algorithm")
    raw = from_base64(signature)
    if len(raw) != 64:
        raise ValueError("no signature")
    pair = encode_dss_signature(*(int.from_bytes(half, "big") for half in (raw[:32], raw[32:])))
    public = ec.EllipticCurvePublicKey.from_encoded_point(_P256, key)
    public.verify(pair, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    read = json.loads(from_base64(claims))
    if not isinstance(read, dict):
        raise ValueError("no claims")
    return read
