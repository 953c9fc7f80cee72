"""The audit log, for operators."""

from django.contrib import admin

from accounts.models import AuditEntry
from accounts.staff_site import ReadOnlyAdmin


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """Who looked at what, did what, and why."""

    list_display = ("at", "staff", "action", "target", "reason", "address")
    list_filter = ("action", "staff", "at")
    search_fields = ("target", "reason")
    list_select_related = ("staff",)
    ordering = ("-at", "-pk")
    fields = ("at", "staff", "action", "target", "reason", "address")
