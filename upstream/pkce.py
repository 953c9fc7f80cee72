"""Proof Key for Code Exchange (RFC 7636), method S256."""

import base64
import hashlib
import secrets
from dataclasses import dataclass, field

METHOD = "S256"


@dataclass(frozen=True, slots=True)
class PkcePair:
    """The verifier and challenge of one login. Only the token request holds the verifier."""

    verifier: str = field(repr=False)
    challenge: str


def make_pair() -> PkcePair:
    """A new pair; the verifier is 32 random bytes, base64url without padding (43 characters)."""
    verifier = _base64url(secrets.token_bytes(32))
    return PkcePair(verifier, challenge_of(verifier))


def challenge_of(verifier: str) -> str:
    """The SHA-256 of the verifier, base64url without padding (RFC 7636 §4.2)."""
    return _base64url(hashlib.sha256(verifier.encode("ascii")).digest())


def make_state() -> str:
    """16 random bytes in hex, which upstream must return unchanged."""
    return secrets.token_hex(16)


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
