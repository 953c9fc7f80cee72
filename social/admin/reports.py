"""The queue of reports: opened for a reason, looked at, acted upon."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from accounts.staff_site import ReadOnlyAdmin
from social.errors import AlreadyAnswered, NotThere
from social.models import Report
from social.services.report_desk import act_on_report, actions_for, exhibit_of

OPENED = "opened_reports"
LABELS = {
    "hide_message": "Hide the message",
    "show_message": "Show the message again",
    "unpublish_note": "Take the note offline",
    "warn": "Warn the person",
    "suspend": "Suspend the account",
    "dismiss": "Dismiss the report",
}


class ReasonForm(forms.Form):
    """Why somebody looks or acts: it stands in the audit log."""

    reason = forms.CharField(
        min_length=5,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="For the audit log. Name no people.",
    )


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    """A report shows what it is about only to somebody who has said why they look."""

    list_display = ("created_at", "status", "target_type", "reason", "handled_at")
    list_filter = ("status", "target_type", "reason")
    # Open ones first, the oldest of them first.
    ordering = ("-status", "created_at")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The page of one report: a question first, then what was reported and what to do."""
        report = self.get_object(request, object_id)
        if report is None:
            raise Http404
        if not request.user.has_perm("social.change_report"):
            raise PermissionDenied
        form = ReasonForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            return self._act(request, report, form.cleaned_data["reason"])
        return self._page(request, report, form)

    def _act(self, request: HttpRequest, report: Report, reason: str) -> HttpResponse:
        action = request.POST.get("action", "open")
        here = reverse("admin:social_report_change", args=[report.pk])
        target = f"report {report.pk.hex}"
        if action == "open":
            request.session[OPENED] = [*request.session.get(OPENED, []), report.pk.hex][-50:]
            self.audit(request, "open", target, reason)
            return HttpResponseRedirect(here)
        if not _is_opened(request, report) or action not in actions_for(report):
            raise PermissionDenied
        try:
            with transaction.atomic():  # nothing is done that is not written down
                act_on_report(report.pk, action=action)
                self.audit(request, action, target, reason)
        except (AlreadyAnswered, NotThere):
            messages.warning(request, "Somebody else was there first, or it is gone.")
            return HttpResponseRedirect(here)
        messages.success(request, f"{LABELS[action]}: done.")
        return HttpResponseRedirect(reverse("admin:social_report_changelist"))

    def _page(self, request: HttpRequest, report: Report, form: ReasonForm) -> HttpResponse:
        opened = _is_opened(request, report)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Report: {report.reason}",
            "opts": self.opts,
            "report": report,
            "form": form,
            "opened": opened,
            "exhibit": exhibit_of(report) if opened else None,
            "actions": [(name, LABELS[name]) for name in actions_for(report)] if opened else [],
        }
        return TemplateResponse(request, "admin/social/report/page.html", context)


def _is_opened(request: HttpRequest, report: Report) -> bool:
    return report.pk.hex in request.session.get(OPENED, [])
