"""The staff site: Django's admin with a required second factor, read-only and audited."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django_otp.admin import OTPAdminAuthenticationForm, OTPAdminSite

from accounts.models import Account
from accounts.name_comparison import normalize_for_search
from accounts.registry import contributions
from staff.models import StaffDevice
from staff.services.audit import record
from staff.services.members import staff_schools

LIST_REASONS = "list_reasons"


class StaffSignInForm(OTPAdminAuthenticationForm):  # type: ignore[misc]
    """User name, password, and the code of the user's only device."""

    otp_error_messages = {  # noqa: RUF012  (their API)
        **OTPAdminAuthenticationForm.otp_error_messages,
        "token_required": _("Enter the code of your authenticator app."),
        "invalid_token": _("The code is wrong. Wait for the next one and try again."),
        "n_failed_attempts": _("Too many wrong codes. Wait a minute and try again."),
        "verification_not_allowed": _("Too many wrong codes. Wait a minute and try again."),
        "device_required": _("This account has no authenticator app. Ask an operator."),
    }

    def _chosen_device(self, user: Any) -> Any:
        return StaffDevice.objects.filter(user=user, confirmed=True).select_for_update().first()

    def _update_form(self, user: Any) -> None:
        """Does nothing: the base class would send the password back in the page."""


class StaffSite(OTPAdminSite):  # type: ignore[misc]
    """`/admin/`, for staff who have signed in with a second factor."""

    site_header = _("School wrapper: staff")
    site_title = _("School wrapper")
    index_title = _("What needs you")
    login_form = StaffSignInForm
    login_template = "admin/staff_login.html"
    site_url = None
    enable_nav_sidebar = False

    def __init__(self, name: str = "admin") -> None:  # that of django_otp is `otpadmin`
        super().__init__(name)

    def index(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """The front page, with every app's charts of the last 30 days."""
        charts = [draw for app in contributions().values() for draw in app.staff_charts]
        context = {"charts": [draw(request.user) for draw in charts], **(extra_context or {})}
        return super().index(request, context)

    def autocomplete_view(self, request: HttpRequest) -> Any:
        """Not offered: no form uses it, and its lists of rows would not be audited."""
        raise Http404


class ListReasonForm(forms.Form):
    """Why a member of staff opens a list."""

    list_reason = forms.CharField(
        label=_("Reason"),
        min_length=5,
        max_length=500,
        widget=forms.TextInput(attrs={"autofocus": True}),
        help_text=_("Needed once for each list after you sign in. It goes into the audit log."),
    )


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Read-only pages; every view is audited. Actions of staff go through the same services as the
    API."""

    actions = None
    list_per_page = 50
    show_full_result_count = False
    # The lookup from a row to the accounts that it is about, such as `note__account`.
    account_lookup = ""
    # Whether the list is shown only after a reason was given, once after each sign-in.
    list_needs_reason = True

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
        offered = {item if isinstance(item, str) else item[0] for item in filters}
        known = lookup.partition("__")[0] in offered
        return known and super().lookup_allowed(lookup, value, request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Only rows about people of the schools of this member of staff."""
        rows = super().get_queryset(request)
        schools = staff_schools(request.user) if self.account_lookup else None
        if schools is None:
            return rows
        accounts = Account.objects.filter(school__in=schools).values("pk")
        visible = self.model._default_manager.filter(**{f"{self.account_lookup}__in": accounts})
        return rows.filter(pk__in=visible.values("pk"))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Searches of a normalized column find `ömer` by `ömer` and by `omer`."""
        if all("search_key" in name for name in self.search_fields):
            search_term = normalize_for_search(search_term)
        return super().get_search_results(request, queryset, search_term)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        reason = self.list_reason(request)
        if self.list_needs_reason and not reason:
            return self._ask_for_reason(request)
        answer = super().changelist_view(request, extra_context)
        if answer.status_code == HTTPStatus.OK:
            self._audit_list(request, answer, reason)
        return answer

    def list_reason(self, request: HttpRequest) -> str:
        """The reason that was given for this list since the sign-in; empty: none yet."""
        given: dict[str, str] = request.session.get(LIST_REASONS, {})
        return given.get(self.opts.label_lower, "")

    def _ask_for_reason(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        form = ListReasonForm(request.POST or None)
        if form.is_valid():
            given = request.session.get(LIST_REASONS, {})
            reason = form.cleaned_data["list_reason"]
            request.session[LIST_REASONS] = {**given, self.opts.label_lower: reason}
            return HttpResponseRedirect(request.get_full_path())
        title = capfirst(self.opts.verbose_name_plural)
        return self.own_page(request, "admin/list_reason.html", title=title, form=form)

    def own_page(self, request: HttpRequest, template: str, **context: Any) -> HttpResponse:
        """A page of our own on the staff site."""
        site = self.admin_site.each_context(request)
        return TemplateResponse(request, template, {**site, "opts": self.opts, **context})

    def _audit_list(self, request: HttpRequest, answer: Any, reason: str) -> None:
        shown = answer.context_data["cl"]
        target = str(self.opts.model_name)
        if shown.query:
            target += f", {shown.result_count} found: {shown.query}"
        self.audit(request, "search" if shown.query else "list", target, reason)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> Any:
        answer = super().change_view(request, object_id, form_url, extra_context)
        # Otherwise there is no such row, and the URL may hold anything, for example a name.
        if answer.status_code == HTTPStatus.OK:
            target = f"{self.opts.model_name} {object_id}"
            account_id = self._account_of(object_id)
            self.audit(request, "look", target, self.list_reason(request), account_id=account_id)
        return answer

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Not offered: what staff did is in the audit log, and this page would not be audited."""
        raise Http404

    def _account_of(self, object_id: str) -> int | None:
        """The account that a row is about; None if there are none or several."""
        if not self.account_lookup:
            return None
        rows = self.model._default_manager.filter(pk=object_id)
        account_ids = list(rows.values_list(self.account_lookup, flat=True)[:2])
        return account_ids[0] if len(account_ids) == 1 else None

    def audit(
        self,
        request: HttpRequest,
        action: str,
        target: str = "",
        reason: str = "",
        **about: Any,
    ) -> None:
        """Add an entry. `about`: the account and the case, as in `record`."""
        record(
            staff_id=request.user.pk,
            action=action,
            target=target,
            reason=reason,
            address=request.META.get("REMOTE_ADDR", ""),
            **about,
        )
