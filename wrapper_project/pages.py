"""HTML pages: the home page, and errors for browsers."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _
from django.views import View

from wrapper_project import content_policy

_HINTS = {
    404: _("Check the address. If somebody sent you this link, they may have stopped sharing."),
    429: _("Too many pages were opened from your network."),
}


class HomeView(View):
    """`/`: leads to the web app. Without it, a page that says what this service is."""

    def get(self, request: HttpRequest) -> HttpResponse:
        if settings.WEB_APP:
            return HttpResponseRedirect("/app/")
        response = render(
            request, "home.html", {"version": settings.VERSION, "contact": settings.CONTACT}
        )
        response.headers["Cache-Control"] = "public, max-age=300"
        return response


class StaffRedirectView(View):
    """`/admin`, as people type it."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return HttpResponseRedirect("/admin/")


def forged_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Django's `CSRF_FAILURE_VIEW`, for the forms of the staff site."""
    del reason  # Django's words, for developers
    words = {
        "sentence": _("This form could not be checked."),
        "hint": _("Go back, reload the page and try again. Your browser must accept cookies."),
    }
    return render(request, "error.html", words, status=403)


def error_page_for_browser(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The same response; errors outside `/api/` become an HTML page if a browser requested it.

    The status, other headers and the log line stay the same.
    """
    sentence = getattr(response, "error_sentence", None)
    if sentence is None or not isinstance(response, HttpResponse) or not _wants_page(request):
        return response
    words = {"sentence": sentence, "hint": _HINTS.get(response.status_code, "")}
    response.content = render_to_string("error.html", words)
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    response.headers["Content-Security-Policy"] = content_policy.PAGE
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    response.headers["Vary"] = "Accept"
    return response


def _wants_page(request: HttpRequest) -> bool:
    """Whether the client accepts HTML by name; programs that send `*/*` get JSON."""
    return (
        "text/html" in request.META.get("HTTP_ACCEPT", "")
        and request.method in ("GET", "HEAD")
        and not request.path_info.startswith("/api/")
    )
