"""The page `/shared/{token}/report`: a form that needs neither an account nor a script."""

from typing import Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _
from django.views import View

from social.api.reports import TEXT_LENGTH
from social.models.reports import REASON_LABELS
from social.services.reports import report_publicly

# With "no-referrer", browsers send `Origin: null`, and older ones would be refused.
HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
}


class NoteReportForm(forms.Form):
    reason = forms.ChoiceField(label=_("What is wrong?"), choices=list(REASON_LABELS.items()))
    text = forms.CharField(
        label=_("Tell us more, if you like"),
        max_length=TEXT_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class SharedNoteReportPage(View):
    """The form does not tell whether there is a note with this token; sending it does."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        return _page(request, {"form": NoteReportForm(), "token": token})

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        form = NoteReportForm(request.POST)
        if not form.is_valid():
            return _page(request, {"form": form, "token": token}, status=400)
        address = request.META.get("REMOTE_ADDR", "")
        report_publicly(kind="note", target_id=token, client_address=address, **form.cleaned_data)
        return _page(request, {"token": token}, status=201)


def _page(request: HttpRequest, context: dict[str, object], status: int = 200) -> HttpResponse:
    page = render_to_string("social/report_note.html", context, request)
    return HttpResponse(page, status=status, headers=HEADERS)
