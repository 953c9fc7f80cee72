"""Accounts, profiles, logins and the audit log on the staff site."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import Account, AuditEntry, Profile, ServiceSession
from accounts.models.service_sessions import SECRETS
from accounts.staff_site import ReadOnlyAdmin


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Accounts. They are suspended from a report, or with `suspend_account`."""

    list_display = ("username", "school", "created_at", "suspended_at")
    list_filter = ("school", ("suspended_at", admin.EmptyFieldListFilter))
    search_fields = ("username",)
    fields = ("username", "school", "created_at", "suspended_at", "erasure_started_at")


@admin.register(Profile)
class ProfileAdmin(ReadOnlyAdmin):
    """What others see of a person: neither e-mail address nor settings."""

    list_display = ("display_name", "account_name", "school_name", "user_type", "updated_at")
    list_filter = ("user_type",)
    search_fields = ("search_key",)
    list_select_related = ("account",)
    fields = (
        "display_name",
        "account_name",
        "school_name",
        "user_type",
        "pronouns",
        "bio",
        "location",
        "website",
        "github",
        "twitter",
        "instagram",
        "linkedin",
        "updated_at",
    )
    readonly_fields = ("account_name",)

    @admin.display(description="public name", ordering="account__username")
    def account_name(self, profile: Profile) -> str:
        return profile.account.username


@admin.register(ServiceSession)
class ServiceSessionAdmin(ReadOnlyAdmin):
    """Logins: device and times. The encrypted columns are never read."""

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


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "staff", "action", "target", "reason", "address")
    list_filter = ("action", "staff", "at")
    search_fields = ("target", "reason")
    list_select_related = ("staff",)
    ordering = ("-at", "-pk")
    fields = ("at", "staff", "action", "target", "reason", "address")
