"""What Django's admin needs around a request: sessions, users, second factor, lockout, messages.

Only under `/admin/`: a client of the API pays for none of it.
"""

from typing import Any

from axes.middleware import AxesMiddleware
from django.contrib.auth.context_processors import auth
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.context_processors import messages
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django_otp.middleware import OTPMiddleware

from wrapper_project import content_policy
from wrapper_project.middleware import GetResponse

PREFIX = "/admin/"


class StaffPagesMiddleware:
    """Innermost. The admin's views check forged requests themselves (`csrf_protect`)."""

    def __init__(self, get_response: GetResponse) -> None:
        self.plain = get_response
        staffed: Any = get_response
        for layer in (
            AxesMiddleware,
            MessageMiddleware,
            OTPMiddleware,
            AuthenticationMiddleware,
            CsrfViewMiddleware,
            SessionMiddleware,
        ):
            staffed = layer(staffed)
        self.staffed: GetResponse = staffed

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return self.plain(request)
        response = self.staffed(request)
        response.headers["Content-Security-Policy"] = content_policy.STAFF
        # With "no-referrer" a browser says `Origin: null`, and no form would be taken.
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def context(request: HttpRequest) -> dict[str, Any]:
    """The template context of the staff's pages: user, permissions, messages."""
    if not request.path_info.startswith(PREFIX):
        return {}
    return {**auth(request), **messages(request)}
