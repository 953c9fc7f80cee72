"""The reports on the staff site: staff give a reason, see the evidence, and act."""

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
from social.services.reports import act_on_report, actions_for, evidence_of

OPENED = "opened_reports"


class ReasonForm(forms.Form):
    reason = forms.CharField(
        min_length=5,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="For the audit log. Name no people.",
    )


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    """A report shows its evidence only to staff who have given a reason."""

    list_display = ("created_at", "status", "target_type", "reason", "handled_at")
    list_filter = ("status", "target_type", "reason")
    # Open ones first, the oldest of them first.
    ordering = ("-status", "created_at")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
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
        label = actions_for(report).get(action)
        if label is None or not _is_opened(request, report):
            raise PermissionDenied
        try:
            with transaction.atomic():  # no action without its audit entry
                act_on_report(report.pk, action=action)
                self.audit(request, action, target, reason)
        except (AlreadyAnswered, NotThere):
            messages.warning(
                request, "The report was just handled by somebody else, or its target is gone."
            )
            return HttpResponseRedirect(here)
        messages.success(request, f"{label}: done.")
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
            "evidence": evidence_of(report) if opened else None,
            "actions": list(actions_for(report).items()) if opened else [],
        }
        return TemplateResponse(request, "admin/social/report/page.html", context)


def _is_opened(request: HttpRequest, report: Report) -> bool:
    return report.pk.hex in request.session.get(OPENED, [])
