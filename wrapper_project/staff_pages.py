"""The middleware that Django's admin needs, applied only under `/admin/`.

In `MIDDLEWARE` it would replace `request.user` of the API, and cost each of its requests.
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
from wrapper_project.middleware import GetResponse, Middleware

PREFIX = "/admin/"


class StaffPagesMiddleware(Middleware):
    """Innermost. The admin's own views use `csrf_protect`."""

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        with_admin: Any = get_response
        for layer in (
            AxesMiddleware,
            MessageMiddleware,
            OTPMiddleware,
            AuthenticationMiddleware,
            CsrfViewMiddleware,
            SessionMiddleware,
        ):
            with_admin = layer(with_admin)
        self.get_admin_response: GetResponse = with_admin

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        response = self.get_admin_response(request)
        response.headers["Content-Security-Policy"] = content_policy.STAFF
        # With "no-referrer", browsers send `Origin: null`, and every form would be refused.
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def context(request: HttpRequest) -> dict[str, Any]:
    """Context processor of the admin's templates: user, permissions, messages."""
    if not request.path_info.startswith(PREFIX):
        return {}
    return {**auth(request), **messages(request)}
