"""Files that browsers, search engines and security researchers ask every site for."""

from datetime import timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views import View

from wrapper_project import errors

# Nothing here is for a search engine: what is public is shared by link only.
ROBOTS: Final = "User-agent: *\nDisallow: /\n"
ICON: Final = (Path(__file__).parent / "static/wrapper_project/icon.svg").read_bytes()
# RFC 9116 wants an end of less than a year.
EXPIRES_AFTER: Final = timedelta(days=180)
A_DAY: Final = {"Cache-Control": "public, max-age=86400"}


class IconView(View):
    """`/favicon.ico`"""

    def get(self, request: HttpRequest) -> HttpResponse:
        return HttpResponse(ICON, content_type="image/svg+xml", headers=A_DAY)


class RobotsView(View):
    """`/robots.txt`"""

    def get(self, request: HttpRequest) -> HttpResponse:
        return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8", headers=A_DAY)


class SecurityContactView(View):
    """`/.well-known/security.txt` (RFC 9116); 404 where the operator has set no CONTACT."""

    def get(self, request: HttpRequest) -> HttpResponse:
        if not settings.CONTACT:
            return errors.handler404(request)
        contact = settings.CONTACT if "://" in settings.CONTACT else f"mailto:{settings.CONTACT}"
        # A whole day, so that the file is the same on every node.
        expires = (timezone.now() + EXPIRES_AFTER).strftime("%Y-%m-%dT00:00:00Z")
        text = f"Contact: {contact}\nExpires: {expires}\nPreferred-Languages: sv, en\n"
        return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=A_DAY)
