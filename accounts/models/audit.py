"""What staff looked at and did."""

from django.conf import settings
from django.db import models


class AuditEntry(models.Model):
    """One look or act of a member of staff. Rows are added and never changed: on PostgreSQL the
    database itself refuses it (migration `audit`).

    People are named by number only, so that an erased account leaves no name here.
    """

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="audit_entries"
    )
    action = models.CharField(max_length=40)
    target = models.CharField(max_length=100, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    # Shortened, as in the logs.
    address = models.CharField(max_length=45, blank=True)

    class Meta:
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.action} {self.target}"
