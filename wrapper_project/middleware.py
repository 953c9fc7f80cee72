"""The middleware of this project, in the order of the settings."""

import logging
import math
import re
import secrets
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase

from accounts.addresses import shortened
from accounts.callers import Caller, network_person
from accounts.cookies import is_bearer, send_renewed_session
from accounts.errors import CrossOrigin
from accounts.origins import is_host, is_listed, origin_of_request
from upstream import deadline
from upstream.person import on_behalf_of
from wrapper_project import content_policy, error_table, errors, languages, pages, parsers
from wrapper_project.observability import log_config
from wrapper_project.servers.proxies import TrustedProxies

GetResponse = Callable[[HttpRequest], HttpResponseBase]

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
KNOWN_METHODS = SAFE_METHODS | {"POST", "PUT", "PATCH", "DELETE"}
# Answered whatever the `Host`: probes ask one process by its own address.
PROBED_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
SIGN_IN_PATH = "/api/v2/authorize"
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=()"

# Set if a proxy that we do not trust forwarded the request: its address is not the client's.
UNTRUSTED_FORWARDING = "wrapper.untrusted_forwarding"

access_log = logging.getLogger("wrapper_project.access")


class Middleware:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)


class RequestIdMiddleware(Middleware):
    """Outermost. Sets the request id and the language, completes the response headers, writes the
    access log.

    A well-formed `X-Request-ID` of the client is kept. The log line has the pattern of the route,
    never the path or the query, and a shortened address.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        given = request.META.get("HTTP_X_REQUEST_ID", "")
        identity = given if REQUEST_ID.fullmatch(given) else secrets.token_hex(16)
        token = log_config.request_id.set(identity)
        language = languages.activate(request)
        try:
            response = pages.error_page_for_browser(request, self._answer(request))
            parsers.discard_body(request)
            _complete(request, response, identity)
            languages.name_language(response, language)
            _write_access_line(request, response, time.perf_counter() - started)
        finally:
            log_config.request_id.reset(token)
        return response

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info in PROBED_PATHS:
            return self.get_response(request)
        try:
            request.get_host()
        except DisallowedHost as error:
            # Here, because with DEBUG Django's own page for it shows the settings.
            return errors.handler400(request, error)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse:
        """The response for an exception that REST framework's handler did not handle."""
        return errors.response_for(exception) or errors.response_for_unexpected(request, exception)


def _complete(request: HttpRequest, response: HttpResponseBase, identity: str) -> None:
    headers = response.headers
    headers["X-Request-ID"] = identity
    if response.status_code != 304:  # it would replace the policy that the browser has stored
        headers.setdefault("Content-Security-Policy", content_policy.DEFAULT)
    headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    if isinstance(response, HttpResponse) and not (
        "Content-Length" in headers or response.status_code in (204, 304)
    ):
        headers["Content-Length"] = str(len(response.content))
    if not request.path_info.startswith("/api/"):
        return
    headers.setdefault("Cache-Control", "no-store")
    if "public" not in headers["Cache-Control"]:
        vary = headers.get("Vary")
        headers["Vary"] = f"{vary}, Cookie, Authorization" if vary else "Cookie, Authorization"


def _write_access_line(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    match = request.resolver_match
    line = {
        "method": request.method if request.method in KNOWN_METHODS else "OTHER",
        "route": match.route if match and match.url_name != "not-found" else None,
        "status": response.status_code,
        "ms": round(seconds * 1000, 1),
        "network": shortened(request.META.get("REMOTE_ADDR", "")),
        "account": getattr(getattr(request, "user", None), "account_id", None),
        "code": getattr(response, "error_code", None),
        "error": getattr(response, "error_class", None),
    }
    access_log.info("request", extra=line)


class TrustedProxyMiddleware(Middleware):
    """Takes the client's address and scheme from the connection, or from a trusted proxy.

    `X-Forwarded-For` and `X-Forwarded-Proto` of anyone else are removed.
    """

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        self.proxies = TrustedProxies(settings.TRUSTED_PROXIES)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        meta = request.META
        forwarded = meta.pop("HTTP_X_FORWARDED_FOR", "")
        client = self.proxies.client(meta.get("REMOTE_ADDR", ""), forwarded)
        if client is not None:
            meta["REMOTE_ADDR"] = client
        else:
            meta.pop("HTTP_X_FORWARDED_PROTO", None)
            if forwarded:
                meta[UNTRUSTED_FORWARDING] = True
        origin_of_request.set(lambda: f"{request.scheme}://{request.get_host()}")
        return self.get_response(request)


def untrusted_proxy(request: HttpRequest) -> str | None:
    """The address of a proxy that is not trusted and has forwarded this request."""
    return request.META["REMOTE_ADDR"] if UNTRUSTED_FORWARDING in request.META else None


class OriginCheckMiddleware(Middleware):
    """Refuses unsafe requests that a browser sends on behalf of another website, and starts of a
    sign-in that a page makes without its visitor: in a frame, as a picture.

    Requests with a Bearer token pass: another website cannot add it without a CORS preflight. With
    any other `Authorization` the cookies count, and browsers add Basic by themselves.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        is_fine = (
            request.method in SAFE_METHODS
            or is_bearer(request.META.get("HTTP_AUTHORIZATION", ""))
            or self._is_ours(request)
        )
        if request.path_info == SIGN_IN_PATH:
            target = request.META.get("HTTP_SEC_FETCH_DEST", "empty")
            is_fine = is_fine and target in {"document", "empty"}
        if is_fine:
            return self.get_response(request)
        answer = errors.response_for(CrossOrigin())
        assert answer is not None  # noqa: S101  (the table holds it)
        return answer

    def _is_ours(self, request: HttpRequest) -> bool:
        origin = request.META.get("HTTP_ORIGIN")
        site = request.META.get("HTTP_SEC_FETCH_SITE")
        if origin is not None and is_listed(origin):
            return True
        if site is not None and site.strip().lower() in {"same-origin", "none"}:
            return True
        if origin is None:
            return site is None
        return is_host(origin, request.get_host(), request.scheme or "http")


class MethodMiddleware(Middleware):
    """Answers 405 with `Allow` before authentication, and every OPTIONS request; reads forms."""

    def process_view(
        self, request: HttpRequest, view_func: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """None if the view may be called."""
        api_view = getattr(view_func, "cls", None)
        view_class = api_view or getattr(view_func, "view_class", None)
        if view_class is not None:
            allowed = methods_of(view_class)
            if request.method == "OPTIONS" or request.method not in allowed:
                is_asked = request.method == "OPTIONS"
                response = (
                    HttpResponse(status=204) if is_asked else errors.respond(error_table.METHOD)
                )
                response.headers["Allow"] = ", ".join(sorted(allowed))
                return response
        if request.method in SAFE_METHODS or view_func is errors.handler404:
            return None
        if api_view is not None:
            takes_forms = getattr(api_view, "takes_forms", False)
            parsers.prepare_body_headers(request, takes_forms=takes_forms)
            return None
        try:
            parsers.read_form_body(request, parsers.limit_of(view_class))
        except (parsers.BodyTooLarge, UnreadablePostError) as error:
            return errors.response_for(error)
        return None


class SchoolCallsMiddleware(Middleware):
    """Says for whom the school system is called, and until when.

    Until a request is identified, its calls are made for the network of the client's address.

    All calls of one reading request end after eight seconds. Otherwise a request that checks the
    session and then fetches data would wait twice for a slow school. Unsafe requests have the full
    time for each call, because a password or a refresh token sent with half a second left could be
    used up without a result.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        reads = request.method in SAFE_METHODS
        ends = time.monotonic() + deadline.TOTAL_SECONDS if reads else math.inf
        person = network_person(request.META.get("REMOTE_ADDR", ""))
        with on_behalf_of(person), deadline.deadline_scope(ends):
            return self.get_response(request)


class RenewedCookiesMiddleware(Middleware):
    """Sets the caller's cookies where the request has changed them: another web session, or another
    role. Also on an error."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        caller = getattr(request, "user", None)
        if isinstance(caller, Caller):
            send_renewed_session(response, request, caller)
        return response


def methods_of(view_class: Any) -> frozenset[str]:
    """The HTTP methods of a class-based view: HEAD if it has GET, and always OPTIONS."""
    names = {name for name in view_class.http_method_names if hasattr(view_class, name)}
    if "get" in names:
        names.add("head")
    return frozenset(name.upper() for name in names - {"trace"} | {"options"})
