"""Accounts, profiles, logins, the audit log and the staff on the staff site."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import Words
from accounts.models import Account, Profile, ServiceSession
from accounts.models.service_sessions import SECRETS
from staff.models import AuditEntry, StaffMember
from staff.services.audit import action_label, target_in_words
from staff.services.members import remove_staff, role_of
from staff.site import ReadOnlyAdmin

ROLES: dict[str, Words] = {
    "moderator": _("moderator"),
    "auditor": _("auditor"),
    "operator": _("operator"),
}


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Accounts. They are suspended from a report, or with `suspend_account`."""

    account_lookup = "pk"
    list_display = (
        "username",
        "school",
        "created_at",
        "suspended_at",
        "suspended_until",
    )
    list_filter = (
        "school",
        ("suspended_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("profile__search_key__contains",)
    fields = (
        "username",
        "school",
        "created_at",
        "suspended_at",
        "suspended_until",
        "suspension_reason",
        "erasure_started_at",
    )


@admin.register(Profile)
class ProfileAdmin(ReadOnlyAdmin):
    """What others see of a person: neither e-mail address nor settings."""

    account_lookup = "account"
    list_display = ("display_name", "account_name", "school_name", "user_type", "updated_at")
    list_filter = ("user_type",)
    search_fields = ("search_key__contains",)
    list_select_related = ("account",)
    fields = (
        "display_name",
        "account_name",
        "school_name",
        "user_type",
        *Profile.TEXTS,
        "updated_at",
    )
    readonly_fields = ("account_name",)

    @admin.display(description=_("public name"), ordering="account__username")
    def account_name(self, profile: Profile) -> str:
        return profile.account.username


@admin.register(ServiceSession)
class ServiceSessionAdmin(ReadOnlyAdmin):
    """Logins: device and times. The encrypted columns are never read."""

    account_lookup = "account"
    list_display = ("account_name", "device", "created_at", "last_used_at")
    list_filter = ("device", "last_used_at")
    search_fields = ("account__profile__search_key__contains",)
    ordering = ("-last_used_at",)
    fields = ("account_name", "device", "created_at", "last_used_at")
    readonly_fields = ("account_name",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("account").defer(*SECRETS)

    @admin.display(description=_("account"), ordering="account__username")
    def account_name(self, session: ServiceSession) -> str:
        return session.account.username


class ActionFilter(admin.AllValuesFieldListFilter):
    """The actions by their labels."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield {**choice, "display": action_label(str(choice["display"]))}


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """Searched by public name, case, target and reason."""

    list_display = ("at", "by", "action_label", "account_name", "reason", "target_label", "address")
    list_filter = (("action", ActionFilter), "staff", "at")
    search_fields = ("search_key__contains",)
    ordering = ("-at", "-pk")
    fields = (
        "at",
        "staff_name",
        "command",
        "system_user",
        "action_label",
        "account_id",
        "account_name",
        "case_id",
        "target_label",
        "reason",
        "address",
    )
    readonly_fields = ("action_label", "target_label")

    @admin.display(description=_("action"), ordering="action")
    def action_label(self, entry: AuditEntry) -> Words:
        return action_label(entry.action)

    @admin.display(description=_("target"), ordering="target")
    def target_label(self, entry: AuditEntry) -> str:
        return target_in_words(entry.target)

    @admin.display(description=_("by"))
    def by(self, entry: AuditEntry) -> str:
        return entry.staff_name or f"{entry.command} ({entry.system_user})"


class RemovalForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), min_length=5, max_length=500)
    confirmed = forms.BooleanField()


@admin.register(StaffMember)
class StaffMemberAdmin(ReadOnlyAdmin):
    """The members of staff, whom operators can remove."""

    list_needs_reason = False
    list_display = ("name", "role", "schools_shown", "last_login")
    list_select_related = ("user",)
    ordering = ("user__username",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("user__groups")

    @admin.display(description=_("name"), ordering="user__username")
    def name(self, member: StaffMember) -> str:
        return member.user.username

    @admin.display(description=_("role"))
    def role(self, member: StaffMember) -> str:
        names = role_of(member.user).split(", ")
        return ", ".join(str(ROLES.get(name, name)) for name in names)

    @admin.display(description=_("schools"))
    def schools_shown(self, member: StaffMember) -> str:
        return ", ".join(member.schools) or gettext("all")

    @admin.display(description=_("last sign-in"), ordering="user__last_login")
    def last_login(self, member: StaffMember) -> datetime | None:
        return member.user.last_login

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        member = self.get_object(request, object_id)
        if member is None:
            raise Http404
        may_remove = request.user.has_perm("accounts.delete_staffmember")
        offered = may_remove and member.user_id != request.user.pk
        form = RemovalForm(request.POST or None) if offered else None
        if form and form.is_valid():
            return self._remove(request, member, form.cleaned_data["reason"])
        name, last = member.user.username, member.user.last_login
        self.audit(request, "look", f"staff {name}")
        facts = [
            (_("Role"), self.role(member)),
            (_("Schools"), self.schools_shown(member)),
            (_("Last sign-in"), date_format(localtime(last), "DATETIME_FORMAT") if last else "–"),
        ]
        template = "admin/accounts/staffmember/page.html"
        return self.own_page(request, template, title=name, facts=facts, form=form)

    def _remove(self, request: HttpRequest, member: StaffMember, reason: str) -> HttpResponse:
        name = member.user.username
        with transaction.atomic():  # no removal without its audit entry
            self.audit(request, "remove_staff", f"staff {name}", reason)
            remove_staff(member.user_id)
        messages.success(request, gettext("%(name)s is removed from staff.") % {"name": name})
        return HttpResponseRedirect(reverse("admin:accounts_staffmember_changelist"))
