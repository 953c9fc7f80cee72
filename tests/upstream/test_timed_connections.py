"""The deadline of an exchange, wherever upstream is slow."""

import ssl
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.upstream.raw_server import Piece, RawServer, always, http, serve
from upstream.errors import UpstreamTimeout, UpstreamUnreachable
from upstream.transport import HEADERS, Request, Transport, UpstreamResponse

SECONDS = 0.5


def drip(data: bytes, pause: float = 0.05) -> list[Piece]:
    """Send the data one byte at a time."""
    return [piece for byte in data for piece in (bytes([byte]), pause)]


SLOW: dict[str, Sequence[Piece]] = {
    "silence": (5.0,),
    "silence after a pause": (b"HTTP/1.1 200 OK\r\n", 0.4, b"A: b\r\n", 5.0),
    "status line": drip(b"HTTP/1.1 200 OK\r\n" * 3),
    "headers": (b"HTTP/1.1 200 OK\r\n", *drip(b"A: bcdefghijklmnopqrstuvwxyz\r\n")),
    "body": (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", *drip(b"x" * 99)),
    "chunk sizes": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        *drip(b"000000000000000000000000000001\r\n"),
    ),
    "closing body": (b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", *drip(b"x" * 99)),
    "continues": [b"HTTP/1.1 100 Continue\r\n\r\n", 0.05] * 40,
    "trailers": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        *drip(b"A: bcdefghijklmnopqrstuvwxyz\r\n"),
    ),
}


def send(base: str, *, ca_file: str | None = None, seconds: float = SECONDS) -> UpstreamResponse:
    transport = Transport(base, connect_seconds=SECONDS, pool_size=2, ca_file=ca_file)
    try:
        request = Request("GET", f"{base}/a", dict(HEADERS))
        return transport.send(request, deadline=time.monotonic() + seconds)
    finally:
        transport.close()


def took_too_long(base: str, ca_file: str | None = None) -> None:
    began = time.monotonic()
    with pytest.raises(UpstreamTimeout):
        send(base, ca_file=ca_file)
    assert SECONDS - 0.1 < time.monotonic() - began < SECONDS + 1.4


@pytest.mark.parametrize("where", SLOW)
def test_it_times_out_wherever_the_response_drips(server: RawServer, where: str) -> None:
    server.script = always(*SLOW[where])
    took_too_long(server.url)


def test_a_slow_response_within_the_deadline_is_read(server: RawServer) -> None:
    server.script = always(*drip(http(b"slow"), 0.001))
    assert send(server.url, seconds=5).body() == b"slow"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate for 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "tests")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    path.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return path


@pytest.fixture
def tls_server(certificate: Path) -> Iterator[RawServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    wrapped = serve(
        always(http(b"over tls")),
        wrap=lambda plain: context.wrap_socket(plain, server_side=True),
        scheme="https",
    )
    with wrapped as raw:
        yield raw


def test_tls_works_and_connections_are_reused(tls_server: RawServer, certificate: Path) -> None:
    transport = Transport(tls_server.url, connect_seconds=1, pool_size=2, ca_file=str(certificate))
    request = Request("GET", f"{tls_server.url}/a", dict(HEADERS))
    for _ in range(3):
        response = transport.send(request, deadline=time.monotonic() + 3)
        assert response.body() == b"over tls"
    transport.close()
    assert {received.connection for received in tls_server.requests} == {1}


def test_a_closing_response_over_tls_is_read_completely(
    tls_server: RawServer, certificate: Path
) -> None:
    tls_server.script = always(http(b"whole", Connection="close"), b"")
    assert send(tls_server.url, ca_file=str(certificate)).body() == b"whole"


def test_dripping_headers_over_tls_time_out_too(tls_server: RawServer, certificate: Path) -> None:
    tls_server.script = always(*SLOW["headers"])
    took_too_long(tls_server.url, str(certificate))


def test_an_untrusted_certificate_is_refused(tls_server: RawServer) -> None:
    with pytest.raises(UpstreamUnreachable):
        send(tls_server.url)
    assert tls_server.requests == []


def test_the_environment_cannot_change_the_trusted_authorities(
    tls_server: RawServer, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.setenv(name, str(certificate))
    with pytest.raises(UpstreamUnreachable):
        send(tls_server.url)
