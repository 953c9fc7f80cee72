"""The uvicorn worker of gunicorn, set up for this service."""

from typing import Any, ClassVar

from uvicorn_worker import UvicornWorker

# Frames are at most 64 KiB; a little more, so that the consumer says so itself.
MAX_FRAME_BYTES = 128 * 1024


class SocketWorker(UvicornWorker):  # type: ignore[misc]
    """Trusts no proxy by itself, writes no access log, bounds frames and queues."""

    CONFIG_KWARGS: ClassVar[dict[str, Any]] = {
        "loop": "uvloop",
        "http": "httptools",
        "ws": "websockets-sansio",
        "ws_max_size": MAX_FRAME_BYTES,
        "ws_ping_interval": 20,
        "ws_ping_timeout": 20,
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
        "lifespan": "on",
    }
