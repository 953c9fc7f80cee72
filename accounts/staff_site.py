"""The staff site: Django's admin with a required second factor, read-only and audited."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, cast

from django.contrib import admin
from django.http import Http404, HttpRequest
from django_otp.admin import OTPAdminAuthenticationForm, OTPAdminSite
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.registry import contributions
from accounts.services.audit import record


class StaffSignInForm(OTPAdminAuthenticationForm):  # type: ignore[misc]
    """User name, password, and the code of the user's only TOTP device."""

    def _chosen_device(self, user: Any) -> Any:
        return TOTPDevice.objects.filter(user=user, confirmed=True).select_for_update().first()

    def _update_form(self, user: Any) -> None:
        """Does nothing: the base class would send the password back in the page."""


class StaffSite(OTPAdminSite):  # type: ignore[misc]
    """`/admin/`, for staff who have signed in with a second factor."""

    site_header = "School wrapper: staff"
    site_title = "School wrapper"
    index_title = "What needs you"
    login_form = StaffSignInForm
    login_template = "admin/staff_login.html"
    site_url = None
    enable_nav_sidebar = False

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)

    def index(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """The front page, with every app's charts of the last 30 days."""
        drawn = [draw() for app in contributions().values() for draw in app.staff_charts]
        return super().index(request, {"charts": drawn, **(extra_context or {})})

    def autocomplete_view(self, request: HttpRequest) -> Any:
        """Not offered: no form uses it, and its lists of rows would not be audited."""
        raise Http404


def staff_id(request: HttpRequest) -> int:
    return int(request.user.pk or 0)


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Read-only pages; every view is audited. Actions of staff go through the same services as the
    API."""

    actions = None
    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Only what the filters offer. Django allows every column of the table, which would reveal
        hidden values one character at a time."""
        filters = cast("Sequence[str | tuple[str, Any]]", self.list_filter)
        offered = {one if isinstance(one, str) else one[0] for one in filters}
        known = lookup.partition("__")[0] in offered
        return known and super().lookup_allowed(lookup, value, request)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        answer = super().changelist_view(request, extra_context)
        self.audit(request, "list", self.opts.model_name or "")
        return answer

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> Any:
        answer = super().change_view(request, object_id, form_url, extra_context)
        # Otherwise there is no such row, and the URL may hold anything, for example a name.
        if answer.status_code == HTTPStatus.OK:
            self.audit(request, "look", f"{self.opts.model_name} {object_id}")
        return answer

    def audit(self, request: HttpRequest, action: str, target: str, reason: str = "") -> None:
        record(
            staff_id=staff_id(request),
            action=action,
            target=target,
            reason=reason,
            address=request.META.get("REMOTE_ADDR", ""),
        )
