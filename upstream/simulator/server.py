"""The simulator on a real socket of the loopback interface."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from upstream.simulator.app import Application
from upstream.simulator.faults.script import Faults
from upstream.simulator.request_log import RequestLog
from upstream.simulator.state import State

_START_SECONDS = 15


class Simulator:
    """A running simulator, for tests."""

    def __init__(self, url: str, app: Application) -> None:
        self.url = url
        """The base address without a final slash, for `UPSTREAM_URL`."""
        self._app = app

    @property
    def state(self) -> State:
        return self._app.state

    @property
    def faults(self) -> Faults:
        return self._app.faults

    @property
    def requests(self) -> RequestLog:
        return self._app.request_log

    def reset(self) -> None:
        """Start over with a new state, no faults and an empty request log."""
        self._app.faults.clear()
        self._app.state = State()
        self._app.request_log.clear()


class _Server(uvicorn.Server):
    """Sets `up` when it accepts connections."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


def _protocol(app: Application) -> type[asyncio.Protocol]:
    """uvicorn's own protocol that also gives the application the transports, to cut connections."""

    class Protocol(HttpToolsProtocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if self.client is not None:
                app.transports[self.client] = transport

        def connection_lost(self, exc: Exception | None) -> None:
            if self.client is not None:
                app.transports.pop(self.client, None)
            super().connection_lost(exc)

    return Protocol


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free port. Raises: OSError if the port is taken.

    IPPROTO_TCP is named because asyncio sets TCP_NODELAY only on such a socket; a response in two
    pieces would otherwise wait 40 ms for the client's acknowledgement.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def serve(app: Application, listener: socket.socket) -> None:
    """Serve on this thread until SIGINT or SIGTERM."""
    with contextlib.suppress(KeyboardInterrupt):
        _make_server(app).run(sockets=[listener])


def _make_server(app: Application) -> _Server:
    return _Server(
        uvicorn.Config(
            app,
            http=_protocol(app),
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            # The application sends one: uvicorn's is up to a second old, which shows when a test
            # moves the clock.
            date_header=False,
            # Longer than any client keeps an idle connection open: the client closes it.
            timeout_keep_alive=300,
            timeout_graceful_shutdown=2,
        )
    )


@contextmanager
def run(port: int = 0, *, state: State | None = None) -> Iterator[Simulator]:
    """Serve in a thread until the block ends.

    `port` 0 takes a free port. Raises: OSError if the port is taken.
    """
    app = Application(state or State())
    listener = listen("127.0.0.1", port)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = _make_server(app)
    thread = threading.Thread(
        target=server.run, kwargs={"sockets": [listener]}, name="simulator", daemon=True
    )
    thread.start()
    try:
        if not server.up.wait(_START_SECONDS):
            raise RuntimeError("the simulator did not start")
        yield Simulator(url, app)
    finally:
        app.faults.clear()
        server.should_exit = True
        thread.join()
        listener.close()
