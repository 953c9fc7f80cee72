"""WebSockets and HTTP: `gunicorn -c deploy/sockets.conf.py wrapper_project.asgi:application`.

HTTP goes to Django, `/ws` to its consumer. Other WebSockets get a 404.
"""

from typing import Any

from django.core.asgi import get_asgi_application

from wrapper_project.servers.startup import refuse_to_start_on_errors

refuse_to_start_on_errors()
_http = get_asgi_application()

from asgiref.sync import sync_to_async  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402  (needs settings, models)
from django.conf import settings  # noqa: E402
from django.urls import path, re_path  # noqa: E402

from accounts.errors import NotFound  # noqa: E402
from social.realtime.consumers import SocketConsumer  # noqa: E402
from stats.counters import flush_before_exit  # noqa: E402
from wrapper_project.servers.refused_sockets import RefusedSockets  # noqa: E402
from wrapper_project.servers.request_classes import AsyncHttpRequest  # noqa: E402

_http.request_class = AsyncHttpRequest


async def _refuse_socket(_scope: Any, _receive: Any, _send: Any) -> None:
    """Raises: NotFound, before accepting."""
    raise NotFound


async def _lifespan(_scope: Any, receive: Any, send: Any) -> None:
    """Write the counted statistics on shutdown: a signal ends this worker without `atexit`."""
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await sync_to_async(flush_before_exit, thread_sensitive=False)()
    await send({"type": "lifespan.shutdown.complete"})


_sockets: Any = RefusedSockets(
    URLRouter([path("ws", SocketConsumer.as_asgi()), re_path(r"", _refuse_socket)])  # type: ignore[arg-type]
)
if settings.METRICS:
    from wrapper_project.observability.metrics import count_sockets

    _sockets = count_sockets(_sockets)

application = ProtocolTypeRouter({"http": _http, "websocket": _sockets, "lifespan": _lifespan})
