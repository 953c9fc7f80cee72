"""Requests whose `Content-Type` makes no sense are requests all the same."""

from collections.abc import MutableMapping
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.wsgi import WSGIRequest


class _TolerateBadContentType:
    """Django makes the request before anything of ours can answer for what goes wrong in it."""

    def _set_content_type_params(self, meta: MutableMapping[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except ValueError:  # a parameter in an encoding that nobody knows
            meta["CONTENT_TYPE"] = ""  # REST framework reads it once more
            super()._set_content_type_params(meta)  # type: ignore[misc]


class TolerantWSGIRequest(_TolerateBadContentType, WSGIRequest):
    """For the HTTP server."""


class TolerantASGIRequest(_TolerateBadContentType, ASGIRequest):
    """For the server of sockets, which serves HTTP too."""
