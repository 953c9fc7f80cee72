"""Logins, for operators: which devices, and since when. No key, and no hash of one."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import ServiceSession
from accounts.models.service_sessions import SECRETS
from accounts.staff_site import ReadOnlyAdmin


@admin.register(ServiceSession)
class ServiceSessionAdmin(ReadOnlyAdmin):
    """The secrets are never even read."""

    list_display = ("account_name", "device", "created_at", "last_used_at")
    list_filter = ("device", "last_used_at")
    search_fields = ("account__username",)
    ordering = ("-last_used_at",)
    fields = ("account_name", "device", "created_at", "last_used_at")
    readonly_fields = ("account_name",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("account").defer(*SECRETS)

    @admin.display(description="account", ordering="account__username")
    def account_name(self, session: ServiceSession) -> str:
        return session.account.username
