"""A push service that accepts everything at once, and notes when. With a certificate of its own."""

import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.processes import free_port
from tests.notifications.certificates import make_certificates
from tests.notifications.web_push import Receiver

_ANSWER = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class PushService:
    """`received` has the times (`time.perf_counter`) of the pushes to each path."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.certificates = make_certificates(folder)
        self.received: dict[str, list[float]] = defaultdict(list)
        self.count = 0

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    def subscription(self, number: int) -> dict[str, Any]:
        """As a browser makes one. Nobody decrypts what is sent there."""
        return {"endpoint": f"https://{self.host}/{number}", "keys": Receiver().keys}

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        self.received[head.split(b" ", 2)[1].decode()].append(time.perf_counter())
        self.count += 1
        writer.write(_ANSWER)
        await writer.drain()
        writer.close()


@contextmanager
def run_push_service(folder: Path) -> Iterator[PushService]:
    """In a thread, until the end of the block."""
    service = PushService(folder)
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(
        asyncio.start_server(
            service.answer, "127.0.0.1", service.port, ssl=service.certificates.server_context()
        )
    )
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
