"""The few pages for people."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views import View

from wrapper_project import content_policy
from wrapper_project.error_table import TABLE

_SENTENCES = {row.code: row.sentence for row in TABLE.values()}
_HINTS = {
    404: "The address may be mistyped, or what was here is not shared any more.",
    429: "Many pages were opened from your network just now. This one is still there.",
}


class HomeView(View):
    """`/`: what this is, and where to read on. No script; one style sheet of our own."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """The same page for everyone."""
        response = render(request, "home.html", {"version": settings.VERSION})
        response.headers["Cache-Control"] = "public, max-age=300"
        return response


def error_page_for_browser(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The same answer; as a page where it is an error outside `/api/` and a browser asked for one.

    Status, headers and what is logged stay as they are.
    """
    code = getattr(response, "error_code", None)
    if code is None or not isinstance(response, HttpResponse) or not _wants_page(request):
        return response
    words = {"sentence": _SENTENCES.get(code, ""), "hint": _HINTS.get(response.status_code, "")}
    response.content = render_to_string("error.html", words)
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    response.headers["Content-Security-Policy"] = content_policy.PAGE
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    response.headers["Vary"] = "Accept"
    return response


def _wants_page(request: HttpRequest) -> bool:
    """Programs that take anything (`*/*`) get JSON."""
    asked = "text/html" in request.META.get("HTTP_ACCEPT", "")
    return asked and request.method in ("GET", "HEAD") and not request.path_info.startswith("/api/")
