"""Encryption and keyed hashes of the secrets that we store.

- `SecretTextField`: an encrypted column. Fernet: the first key of `FIELD_ENCRYPTION_KEYS` encrypts,
  all of them decrypt.
- `seal` / `unseal`: encrypted bytes in the store. AES-256-GCM with a key derived for one purpose
  and one context, so that what was encrypted for one account cannot be decrypted for another.
- `keyed_hash`: finds a row without storing the secret. HMAC-SHA-256 with a key derived from
  `SECRET_KEY`.
"""

import hashlib
import hmac
import secrets
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import TextField
from encrypted_model_fields.fields import EncryptedTextField

_KEY_ID_BYTES = 4
_NONCE_BYTES = 12


class SecretUnreadable(Exception):
    """No key decrypts an encrypted column, or its value was copied from another account."""


def crypter() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.FIELD_ENCRYPTION_KEYS])


def reveal(ciphertext: str, name: str) -> str:
    """The plain text of a value of the column `name`.

    Raises `SecretUnreadable` when no key decrypts it.
    """
    try:
        return crypter().decrypt(ciphertext.encode()).decode()
    except InvalidToken:
        raise SecretUnreadable(name) from None


class SecretTextField(EncryptedTextField):  # type: ignore[misc]
    """An `EncryptedTextField` that decrypts only what comes from the database, raises
    `SecretUnreadable` without the key, and does not encrypt SQL expressions.

    The stock field also decrypts what a user typed, returns the ciphertext when the key is lost,
    and encrypts the text of the expressions that `bulk_update` makes.
    """

    def to_python(self, value: Any) -> Any:
        return TextField.to_python(self, value)

    def from_db_value(self, value: str | None, *args: Any) -> str | None:
        return None if value is None else reveal(value, f"{self.model.__name__}.{self.name}")

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        if value is None or hasattr(value, "as_sql"):
            return value
        return crypter().encrypt(str(value).encode()).decode()


# The derived keys are cached: unsealing a session then takes 6 µs instead of 27 µs, and most
# requests unseal a session and an answer.
@lru_cache(maxsize=8)
def _purpose_key(key: str, purpose: str) -> tuple[bytes, bytes]:
    """(key id, key) for one purpose, derived from one configured key."""
    master = hmac.digest(key.encode(), b"seal\0" + purpose.encode(), "sha256")
    return hashlib.sha256(master).digest()[:_KEY_ID_BYTES], master


@lru_cache(maxsize=4096)
def _cipher(key: str, purpose: str, context: str) -> AESGCM:
    return AESGCM(hmac.digest(_purpose_key(key, purpose)[1], context.encode(), "sha256"))


def seal(purpose: str, context: str, data: bytes) -> bytes:
    """`data` encrypted for `purpose` and `context`; layout: key id, nonce, ciphertext and tag."""
    first = settings.FIELD_ENCRYPTION_KEYS[0]
    key_id = _purpose_key(first, purpose)[0]
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return key_id + nonce + _cipher(first, purpose, context).encrypt(nonce, data, key_id)


def unseal(purpose: str, context: str, sealed: bytes | None) -> bytes | None:
    """The data that was sealed; None for None, a removed key, or another purpose or context."""
    if sealed is None:
        return None
    key_id, nonce = sealed[:_KEY_ID_BYTES], sealed[_KEY_ID_BYTES : _KEY_ID_BYTES + _NONCE_BYTES]
    for configured in settings.FIELD_ENCRYPTION_KEYS:
        if _purpose_key(configured, purpose)[0] == key_id:
            cipher = _cipher(configured, purpose, context)
            try:
                return cipher.decrypt(nonce, sealed[_KEY_ID_BYTES + _NONCE_BYTES :], key_id)
            except (InvalidTag, ValueError):
                return None
    return None


# Every request hashes its credential: 4 microseconds with this cache, 11 without.
@lru_cache(maxsize=16)
def _hash_key(secret: str, purpose: str) -> bytes:
    return hmac.digest(secret.encode(), b"keyed hash\0" + purpose.encode(), "sha256")


def keyed_hash(purpose: str, *parts: str) -> str:
    """64 hex digits that nobody can compute from `parts` without our key."""
    message = b"\0".join(part.encode() for part in parts)
    return hmac.digest(_hash_key(settings.SECRET_KEY, purpose), message, "sha256").hex()
