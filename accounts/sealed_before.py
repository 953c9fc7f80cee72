"""How the version before this one wrote five columns: of bytes, and with `seal`.

They are read until `rotate_encryption_keys` has written them again. A later version, which no
process of that version can run beside, makes text of the columns and removes this.
"""

from base64 import b64encode
from dataclasses import dataclass

from accounts.encryption import unseal


@dataclass(frozen=True, slots=True)
class SealedBefore:
    """The purpose, and the attribute of the row whose value was the context. `binary`: the contents
    were no text; they are base64 now."""

    purpose: str
    context: str
    binary: bool = False

    def open(self, context: str, stored: bytes) -> str | None:
        """The contents; None when no key opens them."""
        data = unseal(self.purpose, context, stored)
        if data is None:
            return None
        return b64encode(data).decode() if self.binary else data.decode()
