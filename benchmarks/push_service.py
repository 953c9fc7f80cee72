"""A push service that accepts everything at once, and notes when. With a certificate of its own."""

import asyncio
import base64
import datetime
import os
import ssl
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from benchmarks.processes import free_port

_ANSWER = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class PushService:
    """`received` has the times (`time.perf_counter`) of the pushes to each path."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.certificate = folder / "push.pem"
        self.received: dict[str, list[float]] = defaultdict(list)
        self.count = 0
        self._write_certificate()

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    def subscription(self, number: int) -> dict[str, Any]:
        """As a browser makes one. Nobody decrypts what is sent there."""
        point = ec.generate_private_key(ec.SECP256R1()).public_key()
        raw = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": _base64(raw), "auth": _base64(os.urandom(16))}
        return {"endpoint": f"https://{self.host}/{number}", "keys": keys}

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        self.received[head.split(b" ", 2)[1].decode()].append(time.perf_counter())
        self.count += 1
        writer.write(_ANSWER)
        await writer.drain()
        writer.close()

    def context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        return context

    def _write_certificate(self) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
        now, day = datetime.datetime.now(datetime.UTC), datetime.timedelta(days=1)
        builder = x509.CertificateBuilder().subject_name(name).issuer_name(name)
        builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
        builder = builder.not_valid_before(now - day).not_valid_after(now + day)
        ca = x509.BasicConstraints(ca=True, path_length=None)
        names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
        signed = builder.add_extension(ca, critical=True).add_extension(names, critical=False)
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        self.certificate.write_bytes(signed.sign(key, SHA256()).public_bytes(Encoding.PEM) + secret)


@contextmanager
def run_push_service(folder: Path) -> Iterator[PushService]:
    """In a thread, until the end of the block."""
    service = PushService(folder)
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(
        asyncio.start_server(service.answer, "127.0.0.1", service.port, ssl=service.context())
    )
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)


def _base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
