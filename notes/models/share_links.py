from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SecretTextField, keyed_hash
from notes.models.notes import Note


class ShareLink(models.Model):
    """The link of a note. Deleting the row ends it.

    It is found by a keyed hash of its token. `address` holds the token for the owner to see again.
    `opened`: somebody has read the note by it since its text last changed.
    """

    note = models.OneToOneField(
        Note, on_delete=models.CASCADE, primary_key=True, related_name="share_link"
    )
    address_hash = models.CharField(max_length=64, unique=True)
    address = SecretTextField(bound_to="note_id")
    # The default is for links of the previous version, of which nobody knows.
    opened = models.BooleanField(default=False, db_default=True)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("share link")
        verbose_name_plural = _("share links")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    def set_token(self, token: str) -> None:
        self.address = token
        self.address_hash = hash_token(token)


class EndedLink(models.Model):
    """A link that was ended. For fourteen days, who has its address can report what it showed
    until then (`accounts.models.KeptText`), also when the note is deleted."""

    address_hash = models.CharField(primary_key=True, max_length=64)
    note_id = models.UUIDField()
    ended_at = models.DateTimeField(db_index=True)


def hash_token(token: str) -> str:
    return keyed_hash("share link", token)
