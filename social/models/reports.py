from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import Words
from accounts.encryption import SecretTextField
from accounts.models import Account
from social.models.cases import Case

REASON_LABELS: dict[str, Words] = {
    "bullying": _("Bullying"),
    "threat": _("Threat"),
    "sexual": _("Sexual content"),
    "spam": _("Spam"),
    "other": _("Something else"),
}
REASONS = list(REASON_LABELS)
# Staff see them first.
URGENT = ("threat", "sexual")


class Report(models.Model):
    """One person's report of something that they can see, or could a short time ago.

    `evidence` is what was reported, as it was then (`services/evidence.py`). `disclosed` is the
    plaintext of an encrypted message, according to the reporter. `suggested` is the public name of
    the member whom the report of a group is about, according to the reporter. `reporter_hash` is
    emptied together with these.

    What a person says when they report the same thing again is another row, `added_to` their first
    one while the case is open. Staff see both; for the reporter it is one report.
    """

    # Encrypted columns. Only the page of the case and the reporter's export read them.
    SEALED = ("text", "disclosed", "suggested", "evidence")

    id = models.UUIDField(primary_key=True, default=uuid4)
    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="reports")
    added_to = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, related_name="additions"
    )
    # Null for a visitor without an account, and once the account is erased.
    reporter = models.ForeignKey(
        Account, on_delete=models.SET_NULL, null=True, related_name="reports_made"
    )
    has_account = models.BooleanField(default=True)
    # Recognises the reporter after an erasure, so that staff do not act on them by mistake.
    # The default in the database is for the previous version, which does not know the column.
    reporter_hash = models.CharField(max_length=64, blank=True, default="", db_default="")
    reason = models.CharField(max_length=8, choices=list(REASON_LABELS.items()))
    text = SecretTextField(blank=True, default="")
    disclosed = SecretTextField(blank=True, default="")
    suggested = SecretTextField(blank=True, default="")
    evidence = SecretTextField(blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(reason__in=REASONS), name="report_reason_is_known"),
        ]
