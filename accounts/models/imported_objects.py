from django.db import models
from django.db.models import Q

from accounts.models.accounts import Account


class ImportedObject(models.Model):
    """One object of an import: a second import of the same file finds it and does nothing, also
    after the person deleted it here.

    `key_hash` is a keyed hash of its source, kind and id there. `account` is that of a person; null
    once it is erased. `target` is what others refer to: the id of a conversation, the id of a
    message; of a person, a keyed hash of the source.

    Each person has another row, of the kind IDENTITY, whose key is a hash of school and number: it
    recognises who was erased, also in another source.
    """

    PERSON = "person"
    IDENTITY = "identity"
    MESSAGE = "message"

    key_hash = models.CharField(primary_key=True, max_length=64)
    kind = models.CharField(max_length=12)
    account = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, related_name="+")
    target = models.CharField(max_length=64, blank=True)
    imported_at = models.DateTimeField()

    class Meta:
        indexes = [
            # For `purge_imports`: there may be millions.
            models.Index(
                fields=["imported_at"], condition=Q(kind="message"), name="imported_messages"
            )
        ]
