"""`/metrics` for the networks of METRICS_ALLOWED; 404 for everyone else."""

import ipaddress

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views import View

from accounts.addresses import parsed_address
from wrapper_project import errors
from wrapper_project.middleware import UNTRUSTED_FORWARDING


class MetricsView(View):
    def get(self, request: HttpRequest) -> HttpResponse:
        if not (settings.METRICS and _may_read(request)):
            return errors.handler404(request)
        from wrapper_project.observability import metrics  # costs memory, so only if it is on

        response = HttpResponse(metrics.exposition(), content_type="text/plain; version=0.0.4")
        response.headers["Cache-Control"] = "no-store"
        return response


def _may_read(request: HttpRequest) -> bool:
    """Whether the client's address is allowed; behind an untrusted proxy it is unknown."""
    address = parsed_address(request.META.get("REMOTE_ADDR", ""))
    if address is None or UNTRUSTED_FORWARDING in request.META:
        return False
    return any(
        address in ipaddress.ip_network(text, strict=False) for text in settings.METRICS_ALLOWED
    )
