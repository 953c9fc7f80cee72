"""What `manage.py doctor` says of the machines that DATABASE_URL and REDIS_URL name: whether each
answers, and when its certificate ends."""

import socket
import ssl
import struct
from collections.abc import Iterator
from itertools import zip_longest
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.db import connection

from wrapper_project.doctor_findings import Findings, fail, ok, warn
from wrapper_project.doctor_machine import CERTIFICATE_DAYS, days_until, end_of_certificate

SECONDS = 2.0
# The first bytes to PostgreSQL of a client that wants TLS; it answers with S.
_SSL_REQUEST = struct.pack("!ii", 8, 80877103)


def check_hosts() -> Findings:
    """Each host of a DATABASE_URL that names several, and Redis if it has a certificate."""
    options = connection.settings_dict.get("OPTIONS", {})
    for host, port in hosts_of_database():
        yield from _check("PostgreSQL", host, port, str(options.get("sslrootcert", "")))
    url = urlsplit(settings.REDIS_URL)
    authority = parse_qs(url.query).get("ssl_ca_certs", [""])[0]
    if url.scheme == "rediss" and authority:
        yield from _check("Redis", url.hostname or "", url.port or 6379, authority)


def hosts_of_database() -> Iterator[tuple[str, int]]:
    """Host and port of each machine, if there are several."""
    own = connection.settings_dict
    if connection.vendor != "postgresql" or "," not in own["HOST"]:
        return
    for host, port in zip_longest(own["HOST"].split(","), str(own["PORT"]).split(",")):
        yield host, int(port or 5432)


def _check(program: str, host: str, port: int, authority: str) -> Findings:
    """`authority`: the file by which its certificate is verified, if it has to have one."""
    name = f"{program} at {host}:{port}"
    try:
        with socket.create_connection((host, port), timeout=SECONDS) as plain:
            end = _end_of_certificate(plain, host, program, authority) if authority else None
    except ssl.SSLCertVerificationError as error:
        text = f"the certificate of {name} is refused: {error.verify_message}."
        yield fail(text, 'Renew it: see "Certificates" in docs/failover.md.')
    except (OSError, ValueError) as error:
        # Redis without a primary behind HAProxy is a finding of its own.
        if program == "PostgreSQL":
            hint = "Start it there (unit pgautofailover); is the machine up, and its port open?"
            yield fail(f"{name} does not answer ({type(error).__name__}).", hint)
    else:
        if end and (days := days_until(end)) < CERTIFICATE_DAYS:
            hint = 'Renew those of all machines: see "Certificates" in docs/failover.md.'
            yield warn(f"the certificate of {name} ends in {days} days.", hint)
        else:
            yield ok(f"{name} answers.")


def _end_of_certificate(
    plain: socket.socket, host: str, program: str, authority: str
) -> float | None:
    """In seconds since 1970. Raises OSError, also for a server without TLS."""
    if program == "PostgreSQL":
        plain.sendall(_SSL_REQUEST)
        if plain.recv(1) != b"S":
            raise ConnectionError
    context = ssl.create_default_context(cafile=authority)
    with context.wrap_socket(plain, server_hostname=host) as secured:
        return end_of_certificate(secured)
