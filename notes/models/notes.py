from uuid import uuid4

import orjson
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Account
from accounts.name_comparison import search_key_of
from notes.richtext.plain_text import plain_text


class Note(models.Model):
    """One person's note: a rich-text document, or plain text.

    `content` is what the API gives back: plain text, the string that was sent, or the compact JSON
    of the object that was sent. `document` is the validated document as compact JSON, or empty if
    `content` is exactly that. `size` is how many bytes these and the title take. `version` grows
    with each change of the owner, so that two tabs do not overwrite each other.
    """

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        ARCHIVED = "archived", _("archived")

    id = models.UUIDField(primary_key=True, default=uuid4)
    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="notes", db_index=False
    )
    title = models.CharField(max_length=200)
    content = models.TextField(blank=True)
    is_document = models.BooleanField(default=False)
    document = models.TextField(blank=True)
    size = models.IntegerField(default=0, db_default=0)
    excerpt = models.CharField(max_length=220, blank=True)
    # The title and the text of the content as search compares them. Null only in rows from before
    # 2026.2.
    search_key = models.TextField(null=True)
    status = models.CharField(max_length=9, default=Status.DRAFT)
    version = models.BigIntegerField(default=1)
    # Set by staff: the note cannot be shared until they lift it.
    taken_down_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["draft", "published", "archived"]),
                name="note_status_is_known",
            ),
        ]
        indexes = [models.Index(fields=["account", "-updated_at", "-id"], name="note_list")]

    def set_search_key(self) -> None:
        """Make it be found by its present title and text, without saving."""
        self.search_key = search_key_of(f"{self.title}\n{self.plain_text}")

    @property
    def plain_text(self) -> str:
        """The text of the content, without its formatting."""
        document = self.valid_document
        return self.content if document is None else plain_text(orjson.loads(document))

    @property
    def valid_document(self) -> str | None:
        """The validated document as compact JSON; None for plain text."""
        return (self.document or self.content) if self.is_document else None
