"""nginx with the sample of `deploy/`, for tests that start it."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

SAMPLE = Path(__file__).resolve().parents[1] / "deploy" / "nginx.conf"
MISSING = "nginx is missing. Debian, Ubuntu: apt-get install nginx-light"
NGINX_CONF = """
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log error;
worker_processes 1;
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def programs_missing() -> bool:
    """Whether nginx is missing on this machine."""
    return shutil.which("nginx") is None


def nginx_site(port: int, web: Sequence[int], sockets: Sequence[int]) -> str:
    """`deploy/nginx.conf` with these ports, without TLS and on loopback."""
    text = SAMPLE.read_text(encoding="utf-8")
    redirecting = text.index("server {\n    listen 80;")
    text = text[:redirecting] + text[text.index("server {\n    listen 443 ssl http2;") :]
    ours = {"8000": web[0], "8010": web[-1], "8001": sockets[0], "8011": sockets[-1]}
    for theirs, own in ours.items():
        text = text.replace(f"127.0.0.1:{theirs} ", f"127.0.0.1:{own} ")
    text = re.sub(r"^    (ssl_.*|listen \[::\].*|error_log .*)\n", "", text, flags=re.MULTILINE)
    text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    return text.replace("server_name school.example;", "server_name localhost;")


def nginx_command(folder: Path, site: str) -> list[str]:
    """The command that starts nginx with this site; its configuration is written to the folder."""
    (folder / "site.conf").write_text(site, encoding="utf-8")
    # By default its workers run as another user, who could not read the folder.
    user = "user root;" if os.getuid() == 0 else ""
    text = NGINX_CONF.format(folder=folder, user=user)
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


@contextmanager
def running(command: list[str], folder: Path, **variables: str) -> Iterator[None]:
    """A proxy, which writes to the file `log` of the folder."""
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(command, env={**os.environ, **variables}, stdout=log, stderr=log)
    try:
        yield
    finally:
        process.terminate()
        process.wait(20)
