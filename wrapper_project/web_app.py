"""`/app/`: the start page of the web app, for every address that the app shows itself.

Its other files are served by WhiteNoise (`WHITENOISE_ROOT`), before any route.
"""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views import View

from accounts.cookies import credential_of
from accounts.errors import NotSignedIn
from wrapper_project import content_policy, errors


@cache
def _start_page(folder: Path, is_nobodys: bool) -> tuple[bytes, str]:
    """The page and its `ETag`, read once a process. To somebody without cookies it says so, and the
    app need not ask."""
    content = (folder / "index.html").read_bytes()
    if is_nobodys:
        content = content.replace(b"<html ", b'<html data-signed-in="no" ', 1)
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def _names_a_file(page: str) -> bool:
    """Whether this is the address of a file of the build, also of one that is missing. The address
    of a page can have a dot (in the name of a person), but not in its first part."""
    first = page.partition("/")[0]
    return first == "assets" or "." in first


def _is_nobodys(request: HttpRequest) -> bool:
    """Whether a page is to be shown to somebody without a session. The service worker keeps the
    page for later, when there may be one, and does not ask for HTML."""
    try:
        return "text/html" in request.headers.get("Accept", "") and credential_of(request) is None
    except NotSignedIn:
        return False


class WebAppView(View):
    """`/app/` and below: the start page. A missing file of the build is 404, never HTML."""

    def get(self, request: HttpRequest, page: str = "") -> HttpResponseBase:
        if not settings.WEB_APP or _names_a_file(page):
            return errors.handler404(request)
        # With DEBUG, somebody may be building it.
        read = _start_page.__wrapped__ if settings.DEBUG else _start_page
        content, etag = read(settings.WEB_APP_FILES, _is_nobodys(request))
        response = HttpResponse(content, content_type="text/html; charset=utf-8")
        response.headers["Content-Security-Policy"] = content_policy.WEB_APP
        response.headers["Cache-Control"] = "no-cache"
        response.headers["ETag"] = etag
        patch_vary_headers(response, ("Accept", "Cookie"))
        return get_conditional_response(request, etag=etag, response=response) or response


class WebAppRedirectView(View):
    """`/app`, as people type it."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return HttpResponseRedirect("/app/") if settings.WEB_APP else errors.handler404(request)
