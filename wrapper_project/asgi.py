"""WebSockets and HTTP: `gunicorn -c deploy/sockets.conf.py wrapper_project.asgi:application`.

HTTP goes to Django behind a body limit, `/ws` to its consumer. Other WebSockets are refused.
"""

from typing import Any

from django.core.asgi import get_asgi_application

from wrapper_project.servers.startup import refuse_to_start_on_errors

refuse_to_start_on_errors()
_django = get_asgi_application()

from asgiref.sync import sync_to_async  # noqa: E402
from channels.routing import URLRouter  # noqa: E402  (needs settings and models)
from django.conf import settings  # noqa: E402
from django.urls import path, re_path  # noqa: E402

from accounts import outbox  # noqa: E402
from social.realtime.consumers import SocketConsumer  # noqa: E402
from stats.counters import flush_before_exit  # noqa: E402
from wrapper_project.servers.body_limit import BodyLimit  # noqa: E402
from wrapper_project.servers.proxies import TrustedProxies  # noqa: E402
from wrapper_project.servers.refused_sockets import RefusedSockets  # noqa: E402
from wrapper_project.servers.request_classes import TolerantASGIRequest  # noqa: E402


async def _refuse_socket(_scope: Any, _receive: Any, send: Any) -> None:
    """Close a WebSocket before accepting it: the client gets a 403."""
    await send({"type": "websocket.close"})


outbox.is_server = True
_django.request_class = TolerantASGIRequest
_http = BodyLimit(_django)
_proxies = TrustedProxies(settings.TRUSTED_PROXIES)
_sockets: Any = RefusedSockets(
    URLRouter([path("ws", SocketConsumer.as_asgi()), re_path(r"", _refuse_socket)])  # type: ignore[arg-type]
)
if settings.METRICS:
    from wrapper_project.observability.metrics import count_sockets

    _sockets = count_sockets(_sockets)


async def _lifespan(receive: Any, send: Any) -> None:
    """Write the counted statistics on shutdown: a signal ends this worker without `atexit`."""
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await sync_to_async(flush_before_exit, thread_sensitive=False)()
    await send({"type": "lifespan.shutdown.complete"})


async def application(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        await _http(scope, receive, send)
    elif scope["type"] == "websocket":
        await _sockets(_proxies.socket_scope(scope), receive, send)
    elif scope["type"] == "lifespan":
        await _lifespan(receive, send)
    else:
        raise ValueError("neither http nor websocket nor lifespan")
