"""The public address of a note."""

from uuid import UUID

from django.db import models

from accounts.encryption import SecretTextField, SecretUnreadable, keyed_hash
from notes.models.notes import Note


class ShareLink(models.Model):
    """A note's one link, found by a keyed hash of its token; it dies with its row.

    `address` holds the token, encrypted and bound to the note, for its owner to see again.
    """

    note = models.OneToOneField(
        Note, on_delete=models.CASCADE, primary_key=True, related_name="share_link"
    )
    address_hash = models.CharField(max_length=64, unique=True)
    address = SecretTextField()
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"share link of note {self.note_id}"

    def set_token(self, token: str) -> None:
        """Set the token; the caller saves."""
        self.address = f"{self.note_id.hex}|{token}"  # type: ignore[assignment]
        self.address_hash = hash_token(token)

    @property
    def token(self) -> str:
        """The token. Raises `SecretUnreadable` for a value of another note."""
        return token_in_address(str(self.address), self.note_id)


def token_in_address(address: str, note_id: UUID) -> str:
    """The token in a note's address. Raises `SecretUnreadable` for a value of another note."""
    owner, _, token = address.partition("|")
    if owner != note_id.hex:
        raise SecretUnreadable("ShareLink.address")
    return token


def hash_token(token: str) -> str:
    """What a link is found by."""
    return keyed_hash("share link", token)
