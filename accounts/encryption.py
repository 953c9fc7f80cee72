"""Encryption and keyed hashes of the secrets that we store.

- `SecretTextField`: an encrypted column, the only kind. Fernet: the first key of
  `FIELD_ENCRYPTION_KEYS` encrypts, all of them decrypt. With `bound_to`, a value can be read in its
  own row only.
- `seal` / `unseal`: encrypted bytes in the store, never in a table. AES-256-GCM with a key derived
  for one purpose and one context: what was encrypted for one account is of no use to another.
- `keyed_hash`: finds a row without storing the secret. HMAC-SHA-256 with a key derived from
  `SECRET_KEY`.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db.models import Field, Model, TextField
from django.db.models.query_utils import DeferredAttribute
from encrypted_model_fields.fields import EncryptedTextField

_KEY_ID_BYTES = 4
_NONCE_BYTES = 12


class SecretUnreadable(Exception):
    """No key decrypts an encrypted column, or its value was copied from another row."""


def crypter() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.FIELD_ENCRYPTION_KEYS])


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """A value of an encrypted column as it is in the database."""

    stored: bytes = field(repr=False)

    @classmethod
    def from_database(cls, value: str | bytes | memoryview) -> "Ciphertext":
        return cls(value.encode() if isinstance(value, str) else bytes(value))


class _Decrypting(DeferredAttribute):
    """The attribute of a row: it decrypts the value when somebody reads it for the first time."""

    field: "SecretTextField"

    def __get__(self, row: Model | None, owner: Any = None) -> Any:
        if row is None:
            return self
        value = super().__get__(row, owner)
        if isinstance(value, Ciphertext):
            value = vars(row)[self.field.attname] = self.field.decrypt(row, value)
        return value

    def __set__(self, row: Model, value: Any) -> None:
        vars(row)[self.field.attname] = value


class SecretTextField(EncryptedTextField):  # type: ignore[misc]
    """An encrypted column. Rotation, doctor and the tests find it by this class.

    `bound_to` names the attribute of the row that the value belongs to, such as `account_id`: its
    value is encrypted together with the text, and a ciphertext that was copied into another row is
    unreadable there. Such a column is written by `save` and `bulk_create`; `update` gets its value
    from `values_for_update`, because it has no row.

    A row can be read without its key: only reading the attribute raises `SecretUnreadable`.
    `values()` and `values_list()` return `Ciphertext`. In a migration, the field is not bound, and
    reads what is before the text too.

    `in_bytes`: the column is one of bytes. Such columns are older than this field.
    """

    descriptor_class = _Decrypting

    def __init__(
        self,
        *args: Any,
        bound_to: str | None = None,
        in_bytes: bool = False,
        **kwargs: Any,
    ) -> None:
        self.bound_to, self.in_bytes = bound_to, in_bytes
        super().__init__(*args, **kwargs)

    if TYPE_CHECKING:

        def __get__(self, row: Any, owner: Any = None) -> Any: ...

        def __set__(self, row: Any, value: Any) -> None: ...

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        if self.in_bytes:
            kwargs["in_bytes"] = True
        return name, path, args, kwargs

    def get_internal_type(self) -> str:
        return "BinaryField" if self.in_bytes else "TextField"

    def encrypt(self, row: Model | None, text: str) -> Ciphertext:
        """`text` as it is stored in this row."""
        if self.bound_to is not None:
            if row is None:
                raise TypeError(f"{self.name} is bound to its row; use `values_for_update`.")
            text = f"{_text_of(row, self.bound_to)}|{text}"
        return Ciphertext(crypter().encrypt(text.encode()))

    def decrypt(self, row: Model, value: Ciphertext) -> str:
        """Raises `SecretUnreadable` without its key, or when it belongs to another row."""
        text = decrypted(crypter(), value)
        if text is not None and self.bound_to is not None:
            owner, bar, text = text.partition("|")
            if not bar or owner != _text_of(row, self.bound_to):
                text = None
        if text is None:
            raise SecretUnreadable(f"{self.model.__name__}.{self.name}")
        return text

    # --- The stock field decrypts what a user typed, returns the ciphertext when the key is lost,
    # and encrypts the text of SQL expressions. ---

    def to_python(self, value: Any) -> Any:
        return TextField.to_python(self, value)

    def from_db_value(self, value: Any, *args: Any) -> Ciphertext | None:
        return None if value is None else Ciphertext.from_database(value)

    def pre_save(self, row: Model, add: bool) -> Any:
        if self.attname in row.get_deferred_fields():
            return super().pre_save(row, add)
        value = vars(row)[self.attname]  # what nobody has read is stored again as it is
        return self.encrypt(row, value) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> Any:
        return value if isinstance(value, Ciphertext) else super().get_prep_value(value)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """Also for `filter`, which compares what is stored."""
        if not isinstance(value, Ciphertext):
            return super().get_db_prep_value(value, connection, prepared)
        return connection.Database.Binary(value.stored) if self.in_bytes else value.stored.decode()

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        if value is None or hasattr(value, "as_sql"):
            return value
        if not isinstance(value, Ciphertext):
            value = self.encrypt(None, str(value))
        return self.get_db_prep_value(value, connection)


def values_for_update(row: Model, *names: str) -> dict[str, Any]:
    """The row's values of these columns for `update`, encrypted where they have to be."""
    fields = (cast("Field[Any, Any]", row._meta.get_field(name)) for name in names)
    return {field.name: field.pre_save(row, add=False) for field in fields}


def _text_of(row: Model, attribute: str) -> str:
    """The value that binds a ciphertext to its row."""
    value = getattr(row, attribute)
    if value is None:
        raise TypeError(f"{type(row).__name__} has no {attribute} yet.")
    return value.hex if isinstance(value, UUID) else str(value)


def decrypted(fernet: Fernet | MultiFernet, value: Ciphertext) -> str | None:
    """The text, with what binds it to its row before it; None without the key."""
    try:
        return fernet.decrypt(value.stored).decode()
    except InvalidToken:
        return None


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
