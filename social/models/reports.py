from django.db import models
from django.db.models import Q
from django.utils.functional import SimpleLazyObject

from accounts.identifiers import new_id
from accounts.models import Account
from accounts.registry import report_kinds

REASONS = ["bullying", "threat", "sexual", "spam", "other"]
STATUSES = ["open", "handled", "dismissed"]


def _kind_names() -> list[str]:
    return [kind.name for kind in report_kinds()]


class Report(models.Model):
    """One person's report of a message, profile, group or note.

    `target_id` is the target's public id (for a profile the account id, because names are not
    kept here). `subject` is the account that is responsible for the target. `disclosed` is the
    plaintext of an encrypted message, according to the reporter.
    """

    OPEN = "open"
    HANDLED = "handled"
    DISMISSED = "dismissed"

    id = models.UUIDField(primary_key=True, default=new_id)
    reporter = models.ForeignKey(
        Account, on_delete=models.SET_NULL, null=True, related_name="reports_made"
    )
    subject = models.ForeignKey(
        Account, on_delete=models.SET_NULL, null=True, related_name="reports_met"
    )
    target_type = models.CharField(max_length=7)
    target_id = models.CharField(max_length=60)
    reason = models.CharField(max_length=8)
    text = models.CharField(max_length=1000, blank=True)
    disclosed = models.TextField(blank=True)
    status = models.CharField(max_length=9, default=OPEN)
    created_at = models.DateTimeField(auto_now_add=True)
    handled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                # Evaluated when all apps are loaded: the kinds come from all of them.
                condition=Q(target_type__in=SimpleLazyObject(_kind_names)),
                name="report_target_type_is_known",
            ),
            models.CheckConstraint(condition=Q(reason__in=REASONS), name="report_reason_is_known"),
            models.CheckConstraint(condition=Q(status__in=STATUSES), name="report_status_is_known"),
        ]
        indexes = [models.Index(fields=["status", "created_at"], name="report_queue")]

    def __str__(self) -> str:
        return f"report {self.pk}"
