"""uvicorn's gunicorn worker, configured."""

from typing import Any, ClassVar

from uvicorn_worker import UvicornWorker


class SocketWorker(UvicornWorker):  # type: ignore[misc]
    """A subclass, because this attribute is the only way to give the worker uvicorn's options."""

    CONFIG_KWARGS: ClassVar[dict[str, Any]] = {
        "ws": "websockets-sansio",
        # The context of a compression would double the memory of an idle socket.
        "ws_per_message_deflate": False,
        # The consumer allows 64 KiB and sends its own close code; this limit is a little higher.
        "ws_max_size": 128 * 1024,
        "server_header": False,
        # At `info` it logs the path of each socket with its query.
        "log_level": "warning",
    }
