"""Our secrets at rest: one door to encrypt, hash and rotate.

Three forms, each for one place:

- `SecretTextField`: a column. Fernet, first key of `FIELD_ENCRYPTION_KEYS` encrypts, all decrypt.
- `seal` / `unseal`: bytes in the cache. AES-256-GCM under a key derived for one purpose and one
  context, so that what was sealed for one account cannot be opened for another.
- `keyed_hash`: a look-up without the secret. HMAC-SHA-256 under a key derived from `SECRET_KEY`.
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

# Sealers of the callers seen last; making one costs more than using it.
_SEALERS = 4096
_KEY_ID_BYTES = 4
_NONCE_BYTES = 12


class SecretUnreadable(Exception):
    """An encrypted column that no key opens, or that was copied from another account."""


@lru_cache(maxsize=4)
def _fernet(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def crypter() -> MultiFernet:
    """The crypter of the keys that are configured now."""
    return _fernet(tuple(settings.FIELD_ENCRYPTION_KEYS))


def reveal(ciphertext: str, name: str) -> str:
    """The plain text of the value of a column called `name`.

    Raises `SecretUnreadable` when no key opens it.
    """
    try:
        return crypter().decrypt(ciphertext.encode()).decode()
    except InvalidToken:
        raise SecretUnreadable(name) from None


class SecretTextField(EncryptedTextField):  # type: ignore[misc]
    """`EncryptedTextField` without its traps.

    The stock field decrypts what a user typed, returns the ciphertext when the key is lost, and
    encrypts the text of SQL expressions in `bulk_update`. This one decrypts only what comes from
    the database, fails loudly, and leaves expressions alone.
    """

    def to_python(self, value: Any) -> Any:
        return TextField.to_python(self, value)

    def from_db_value(self, value: str | None, *args: Any) -> str | None:
        return None if value is None else reveal(value, f"{self.model.__name__}.{self.name}")

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        if value is None or hasattr(value, "as_sql"):
            return value
        return crypter().encrypt(str(value).encode()).decode()


@lru_cache(maxsize=8)
def _master(key: str, purpose: str) -> tuple[bytes, bytes]:
    """(key id, key) that seals one purpose under one configured key."""
    master = hmac.digest(key.encode(), b"seal\0" + purpose.encode(), "sha256")
    return hashlib.sha256(master).digest()[:_KEY_ID_BYTES], master


@lru_cache(maxsize=_SEALERS)
def _sealer(key: str, purpose: str, context: str) -> AESGCM:
    return AESGCM(hmac.digest(_master(key, purpose)[1], context.encode(), "sha256"))


def seal(purpose: str, context: str, data: bytes) -> bytes:
    """`data` encrypted for `purpose` and `context`; layout: key id, nonce, ciphertext and tag."""
    first = settings.FIELD_ENCRYPTION_KEYS[0]
    key_id = _master(first, purpose)[0]
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return key_id + nonce + _sealer(first, purpose, context).encrypt(nonce, data, key_id)


def unseal(purpose: str, context: str, sealed: bytes | None) -> bytes | None:
    """What was sealed, or None: nothing there, a key that is gone, a foreign context."""
    if sealed is None:
        return None
    key_id, nonce = sealed[:_KEY_ID_BYTES], sealed[_KEY_ID_BYTES : _KEY_ID_BYTES + _NONCE_BYTES]
    for configured in settings.FIELD_ENCRYPTION_KEYS:
        if _master(configured, purpose)[0] == key_id:
            sealer = _sealer(configured, purpose, context)
            try:
                return sealer.decrypt(nonce, sealed[_KEY_ID_BYTES + _NONCE_BYTES :], key_id)
            except (InvalidTag, ValueError):
                return None
    return None


@lru_cache(maxsize=16)
def _hash_key(secret: str, purpose: str) -> bytes:
    return hmac.digest(secret.encode(), b"keyed hash\0" + purpose.encode(), "sha256")


def keyed_hash(purpose: str, *parts: str) -> str:
    """64 hex digits that only we can compute from `parts`; safe to keep and to look up by."""
    message = b"\0".join(part.encode() for part in parts)
    return hmac.digest(_hash_key(settings.SECRET_KEY, purpose), message, "sha256").hex()
