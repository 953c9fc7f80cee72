"""Accounts and profiles, for staff."""

from django.contrib import admin

from accounts.models import Account, Profile
from accounts.staff_site import ReadOnlyAdmin


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Who exists, and who is suspended. Suspending is done from a report, or by command."""

    list_display = ("username", "school", "created_at", "suspended_at")
    list_filter = ("school", ("suspended_at", admin.EmptyFieldListFilter))
    search_fields = ("username",)
    fields = ("username", "school", "created_at", "suspended_at", "erasure_started_at")


@admin.register(Profile)
class ProfileAdmin(ReadOnlyAdmin):
    """What others see of a person. Neither e-mail nor settings: staff have no use for them."""

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
