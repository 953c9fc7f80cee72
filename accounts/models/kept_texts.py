"""What others could read of a person and is not there any more. Only a report reads it."""

from typing import Any

import orjson
from django.db import models

from accounts.encryption import SecretTextField
from accounts.models.accounts import Account


class KeptOfPerson(models.Model):
    """Evidence about a person that outlives their account. Once the account is erased,
    `person_hash`, the public name and the school stand for it, so that staff can act on who it was;
    when the person signs in again, the new account is linked."""

    account = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, related_name="+")
    person_hash = models.CharField(max_length=64, blank=True, default="")
    person_name = SecretTextField(blank=True, default="")
    school = models.CharField(max_length=63, blank=True, default="")

    class Meta:
        abstract = True

    @property
    def is_known(self) -> bool:
        return self.account_id is not None or bool(self.person_hash)

    @property
    def public_name(self) -> str:
        return self.account.username if self.account else str(self.person_name)

    def copy_person(self, other: "KeptOfPerson") -> None:
        """Let this row be about the same person."""
        self.account_id = other.account_id
        self.person_hash, self.person_name = other.person_hash, other.person_name
        self.school = other.school


class KeptText(KeptOfPerson):
    """One text that its author has changed, deleted or taken back, or texts of one profile or group
    that were changed together. They are kept for `services.kept_texts.KEPT_FOR` after that.

    The target is named as in a case: by the kind of report, and the id that such a case keeps. Of
    the pictures of a profile the type is `PICTURE`, and `texts` has the file in base64 by its kind.
    `texts` is a JSON object, the text by its name; it is empty for an encrypted message, whose text
    we cannot read. `reader` is the only person who could read it, null where there are others.
    """

    PICTURE = "picture"

    EDITED = "edited"
    DELETED = "deleted"
    WITHDRAWN = "withdrawn"
    DECLINED = "declined"

    target_type = models.CharField(max_length=14)
    target_id = models.CharField(max_length=60)
    reader = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, related_name="+")
    texts = SecretTextField()
    change = models.CharField(max_length=9)
    gone_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(change__in=["edited", "deleted", "withdrawn", "declined"]),
                name="kept_text_change_is_known",
            ),
        ]
        indexes = [
            models.Index(fields=["target_type", "target_id"], name="kept_text_target"),
            models.Index(
                fields=["person_hash"],
                condition=~models.Q(person_hash=""),
                name="kept_text_person",
            ),
        ]

    @property
    def values(self) -> dict[str, str]:
        """The texts by name."""
        texts: dict[str, Any] = orjson.loads(str(self.texts))
        return texts
