"""The audit log of staff."""

from django.conf import settings
from django.db import models


class AuditEntry(models.Model):
    """One page that a member of staff viewed, or one action. Never changed: on PostgreSQL the
    database refuses it (migration `audit`).

    Accounts are referred to by id only, so that no name is left after an erasure.
    """

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="audit_entries"
    )
    action = models.CharField(max_length=40)
    target = models.CharField(max_length=100, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    # The network of the address, as in the logs.
    address = models.CharField(max_length=45, blank=True)

    class Meta:
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.action} {self.target}"
