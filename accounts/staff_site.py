"""The staff's site: a second factor for everyone, and nothing for anyone else."""

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
    """Name, password and the code of the one device that everyone here has."""

    def _chosen_device(self, user: Any) -> Any:
        return TOTPDevice.objects.filter(user=user, confirmed=True).select_for_update().first()

    def _update_form(self, user: Any) -> None:
        """Not as in the base class, which would send the password back in the page."""


class StaffSite(OTPAdminSite):  # type: ignore[misc]
    """`/admin/`. Who has not shown a second factor is nobody here."""

    site_header = "School wrapper: staff"
    site_title = "School wrapper"
    index_title = "What needs you"
    login_form = StaffSignInForm
    login_template = "admin/staff_login.html"
    # A page that leads from here to the public front page has no use.
    site_url = None
    enable_nav_sidebar = False

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)

    def index(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """The front page, with every app's charts of the last 30 days."""
        drawn = [draw() for app in contributions().values() for draw in app.staff_charts]
        return super().index(request, {"charts": drawn, **(extra_context or {})})

    def autocomplete_view(self, request: HttpRequest) -> Any:
        """No form here completes anything, and this list of rows would be audited by nobody."""
        raise Http404


def staff_id(request: HttpRequest) -> int:
    """The member of staff who asks."""
    return int(request.user.pk or 0)


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows to look at, each look audited. Nothing is ever added, changed or deleted here: what
    staff do goes through the same services as the API."""

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
        """What the filters offer. Django takes every column of the table, and would so tell, letter
        by letter, what the page hides."""
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
        # Otherwise there is no such row, and the address may hold anything, a name too.
        if answer.status_code == HTTPStatus.OK:
            self.audit(request, "look", f"{self.opts.model_name} {object_id}")
        return answer

    def audit(self, request: HttpRequest, action: str, target: str, reason: str = "") -> None:
        """Write the look or act down."""
        record(
            staff_id=staff_id(request),
            action=action,
            target=target,
            reason=reason,
            address=request.META.get("REMOTE_ADDR", ""),
        )
