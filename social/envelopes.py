"""The form of an encrypted message. Nobody here holds a key, so the form is all there is to check.

`encryption: "aes-gcm"`: `content` is base64 of IV (12 bytes), ciphertext and tag (16 bytes), or the
IV comes apart and `content` is base64 of ciphertext and tag.
"""

import base64
import binascii
from typing import NamedTuple

from social.errors import NotForEncrypted, WrongEnvelope
from social.limits import CIPHERTEXT_LENGTH

IV_BYTES = 12
TAG_BYTES = 16
# Twelve bytes are sixteen characters, so an IV in front of the rest can be cut off as it is.
IV_LENGTH = 16


class Envelope(NamedTuple):
    """What is kept, as it was sent; `spent` is the IV, wherever it stood."""

    content: str
    iv: str | None
    spent: str


def read_envelope(content: str, iv: str | None) -> Envelope:
    """The envelope that a client sent.

    Raises: NotForEncrypted (no base64: this is plaintext), WrongEnvelope (too long, too short, or
    the IV is none).
    """
    if len(content) > CIPHERTEXT_LENGTH:
        raise WrongEnvelope
    sealed = _bytes_of(content)
    if sealed is None:
        raise NotForEncrypted
    if iv is None:
        shortest, spent = IV_BYTES + 1 + TAG_BYTES, content[:IV_LENGTH]
    else:
        shortest, spent = 1 + TAG_BYTES, iv
        if len(iv) != IV_LENGTH or _bytes_of(iv) is None:
            raise WrongEnvelope
    if len(sealed) < shortest:
        raise WrongEnvelope
    return Envelope(content, iv, spent)


def _bytes_of(text: str) -> bytes | None:
    """The bytes behind the one spelling that base64 has for them; None for anything else."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    # Padding may hide bits that decoding drops: two texts for one message are one too many.
    return decoded if base64.b64encode(decoded).decode() == text else None
