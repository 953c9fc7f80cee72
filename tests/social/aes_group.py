"""A client of an encrypted group: AES-256-GCM under a key that its members derive from a phrase.

The service never sees phrase or key. What is sent is base64 of IV, ciphertext and tag.
"""

import base64
import os

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

ITERATIONS = 310_000
IV_BYTES = 12


def key_of(phrase: str, salt: bytes) -> bytes:
    """The group's key. Slow on purpose."""
    return PBKDF2HMAC(SHA256(), length=32, salt=salt, iterations=ITERATIONS).derive(phrase.encode())


def seal(key: bytes, text: str, iv: bytes = b"") -> str:
    """What is sent: IV, ciphertext and tag in one."""
    iv = iv or os.urandom(IV_BYTES)
    return base64.b64encode(iv + AESGCM(key).encrypt(iv, text.encode(), None)).decode()


def seal_apart(key: bytes, text: str) -> tuple[str, str]:
    """Ciphertext with tag, and the IV by itself."""
    whole = base64.b64decode(seal(key, text))
    return base64.b64encode(whole[IV_BYTES:]).decode(), base64.b64encode(whole[:IV_BYTES]).decode()


def unseal(key: bytes, content: str, iv: str | None = None) -> str:
    """What a member reads."""
    whole = base64.b64decode(iv or "") + base64.b64decode(content)
    return AESGCM(key).decrypt(whole[:IV_BYTES], whole[IV_BYTES:], None).decode()
