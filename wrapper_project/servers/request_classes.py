"""Django's requests, which do not fail for a `Content-Type` that cannot be read.

Django reads it while it makes the request, where no handler of errors is: anybody could have a bare
500, and with it alarms of the operator, for a parameter in an encoding that does not exist.
"""

from collections.abc import MutableMapping
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.wsgi import WSGIRequest


class _IgnoreUnreadableContentType:
    def _set_content_type_params(self, meta: MutableMapping[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except ValueError:
            meta["CONTENT_TYPE"] = ""  # REST framework reads it again
            super()._set_content_type_params(meta)  # type: ignore[misc]


class HttpRequest(_IgnoreUnreadableContentType, WSGIRequest):
    """For `wsgi.py`."""


class AsyncHttpRequest(_IgnoreUnreadableContentType, ASGIRequest):
    """For `asgi.py`."""
