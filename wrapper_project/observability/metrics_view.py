"""`/metrics`, for the networks of METRICS_ALLOWED; for anyone else there is no such address."""

import ipaddress

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views import View

from accounts.addresses import parsed_address
from wrapper_project import errors
from wrapper_project.middleware import UNTRUSTED_FORWARDING


class MetricsView(View):
    """The numbers of this server, for Prometheus."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """404 to those who may not read them, as for an address that is not there."""
        if not (settings.METRICS and _may_read(request)):
            return errors.not_found(request)
        from wrapper_project.observability import metrics  # costs memory: only where it is on

        response = HttpResponse(metrics.exposition(), content_type="text/plain; version=0.0.4")
        response.headers["Cache-Control"] = "no-store"
        return response


def _may_read(request: HttpRequest) -> bool:
    """Whether the caller's own address is allowed; a proxy that nobody vouches for has none."""
    address = parsed_address(request.META.get("REMOTE_ADDR", ""))
    if address is None or UNTRUSTED_FORWARDING in request.META:
        return False
    return any(
        address in ipaddress.ip_network(text, strict=False) for text in settings.METRICS_ALLOWED
    )
