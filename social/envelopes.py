"""The form of an encrypted message. The server has no key, so it can check nothing else.

With `encryption: "aes-gcm"`, `content` is base64 of IV (12 bytes), ciphertext and tag (16 bytes);
or the IV is in a field of its own and `content` is base64 of ciphertext and tag.
"""

import base64
import binascii

from social.errors import NotForEncrypted, WrongEnvelope
from social.limits import CIPHERTEXT_LENGTH

IV_BYTES = 12
TAG_BYTES = 16
# Twelve bytes are sixteen characters of base64, so an IV at the beginning is the first sixteen.
IV_LENGTH = 16


def check_envelope(content: str, iv: str | None) -> str:
    """Check the form of an encrypted message and return its IV.

    Raises: NotForEncrypted (not base64: this is plaintext), WrongEnvelope (too long, too short, or
    not a valid IV).
    """
    if len(content) > CIPHERTEXT_LENGTH:
        raise WrongEnvelope
    sealed = _bytes_of(content)
    if sealed is None:
        raise NotForEncrypted
    if iv is None:
        shortest, used_iv = IV_BYTES + 1 + TAG_BYTES, content[:IV_LENGTH]
    else:
        shortest, used_iv = 1 + TAG_BYTES, iv
        if len(iv) != IV_LENGTH or _bytes_of(iv) is None:
            raise WrongEnvelope
    if len(sealed) < shortest:
        raise WrongEnvelope
    return used_iv


def _bytes_of(text: str) -> bytes | None:
    """The decoded bytes; None for anything but canonical base64."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    # The last character may hold bits that decoding drops: one message would have two texts.
    return decoded if base64.b64encode(decoded).decode() == text else None
