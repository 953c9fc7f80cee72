"""Request classes that accept a malformed `Content-Type`."""

from collections.abc import MutableMapping
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.wsgi import WSGIRequest


class _TolerateBadContentType:
    """Django builds the request outside our error handler: an error there is a bare 500."""

    def _set_content_type_params(self, meta: MutableMapping[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except ValueError:  # a parameter in an unknown encoding
            meta["CONTENT_TYPE"] = ""  # REST framework reads it again
            super()._set_content_type_params(meta)  # type: ignore[misc]


class TolerantWSGIRequest(_TolerateBadContentType, WSGIRequest):
    """For the HTTP server (WSGI)."""


class TolerantASGIRequest(_TolerateBadContentType, ASGIRequest):
    """For the server of WebSockets and HTTP (ASGI)."""
