"""Sockets, and HTTP too: `gunicorn -c deploy/sockets.conf.py wrapper_project.asgi:application`.

HTTP goes to Django behind a limit for bodies, `/ws` to its consumer, any other socket nowhere.
"""

from typing import Any

from django.core.asgi import get_asgi_application

from wrapper_project.servers.startup import refuse_to_start_on_errors

refuse_to_start_on_errors()
_django = get_asgi_application()

from asgiref.sync import sync_to_async  # noqa: E402
from channels.routing import URLRouter  # noqa: E402  (settings and models are there from here on)
from django.conf import settings  # noqa: E402
from django.urls import re_path  # noqa: E402

from social.routing import websocket_urlpatterns  # noqa: E402
from stats.counters import flush_before_exit  # noqa: E402
from wrapper_project.servers.body_limit import BodyLimit  # noqa: E402
from wrapper_project.servers.proxies import TrustedProxies  # noqa: E402
from wrapper_project.servers.request_classes import TolerantASGIRequest  # noqa: E402


async def _no_such_socket(scope: Any, receive: Any, send: Any) -> None:
    """Closed before it is accepted: the client sees 403."""
    del scope, receive
    await send({"type": "websocket.close"})


_django.request_class = TolerantASGIRequest
_http = BodyLimit(_django)
_proxies = TrustedProxies(settings.TRUSTED_PROXIES)
_nowhere: Any = _no_such_socket
_sockets: Any = URLRouter([*websocket_urlpatterns, re_path(r"", _nowhere)])
if settings.METRICS:
    from wrapper_project.observability.metrics import count_sockets

    _sockets = count_sockets(_sockets)


async def _live(receive: Any, send: Any) -> None:
    """The worker ends by a signal, which leaves no other moment to write what was counted."""
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await sync_to_async(flush_before_exit, thread_sensitive=False)()
    await send({"type": "lifespan.shutdown.complete"})


async def application(scope: Any, receive: Any, send: Any) -> None:
    """One ASGI connection."""
    if scope["type"] == "http":
        await _http(scope, receive, send)
    elif scope["type"] == "websocket":
        await _sockets(_proxies.socket_scope(scope), receive, send)
    elif scope["type"] == "lifespan":
        await _live(receive, send)
    else:
        raise ValueError("neither http nor websocket nor lifespan")
