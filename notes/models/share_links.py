from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SecretTextField, keyed_hash
from notes.models.notes import Note


class ShareLink(models.Model):
    """The link of a note. Deleting the row ends it.

    It is found by a keyed hash of its token. `address` holds the token for the owner to see again,
    encrypted and bound to the note.
    """

    note = models.OneToOneField(
        Note, on_delete=models.CASCADE, primary_key=True, related_name="share_link"
    )
    address_hash = models.CharField(max_length=64, unique=True)
    address = SecretTextField()
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("share link")
        verbose_name_plural = _("share links")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    def set_token(self, token: str) -> None:
        self.address = f"{self.note_id.hex}|{token}"  # type: ignore[assignment]
        self.address_hash = hash_token(token)


def hash_token(token: str) -> str:
    return keyed_hash("share link", token)
