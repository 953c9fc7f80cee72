"""Routes for tests only: they raise any exception, or return what they read."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views import View
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import PublicView
from wrapper_project import urls as real

handler400, handler403 = real.handler400, real.handler403
handler404, handler500 = real.handler404, real.handler500

# The exceptions that the routes raise.
to_raise: list[Exception] = []


class RaisingView(PublicView):
    def get(self, request: Request) -> Response:
        raise to_raise[-1]

    def post(self, request: Request) -> Response:
        body, token = request.data, request.headers["Authorization"]
        assert body
        assert token
        raise to_raise[-1]


class RaisingPage(View):
    def get(self, request: HttpRequest) -> HttpResponse:
        raise to_raise[-1]


class EchoView(PublicView):
    max_body_bytes = 1000

    def post(self, request: Request) -> Response:
        return Response({"read": request.data})


class BytesView(PublicView):
    def get(self, request: Request) -> Response:
        return Response(b'{"as":"it is"}')


class WhoView(PublicView):
    def get(self, request: Request) -> Response:
        meta: dict[str, Any] = request.META
        return Response({"address": meta["REMOTE_ADDR"], "https": request.is_secure()})

    def post(self, request: Request) -> Response:
        return self.get(request)


urlpatterns = [
    path("api/raising", RaisingView.as_view(), name="raising"),
    path("raising", RaisingPage.as_view(), name="raising-page"),
    path("api/echo", EchoView.as_view(), name="echo"),
    path("api/bytes", BytesView.as_view(), name="bytes"),
    path("api/who", WhoView.as_view(), name="who"),
    *real.urlpatterns,
]
