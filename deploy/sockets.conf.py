"""gunicorn for WebSockets: `gunicorn -c deploy/sockets.conf.py wrapper_project.asgi:application`.

Reads BIND_HOST, SOCKETS_PORT, TRUSTED_PROXIES. The process serves HTTP, too: it is the whole
service of `make demo`.
"""

import ipaddress
import os
from pathlib import Path

bind = f"{os.environ.get('BIND_HOST') or '127.0.0.1'}:{os.environ.get('SOCKETS_PORT') or 8001}"
worker_class = "wrapper_project.servers.socket_worker.SocketWorker"
# One worker serves thousands of sockets. For more, add servers.
workers = 1
backlog = 1024
post_worker_init = "wrapper_project.servers.startup.freeze_loaded_objects"

keepalive = 75
graceful_timeout = 10
timeout = 60

# uvicorn reads the forwarded address and scheme of a socket from these proxies only. Unlike the
# settings it takes a network only in its strict form: 10.0.0.1/8 is 10.0.0.0/8.
_proxies = filter(None, map(str.strip, os.environ.get("TRUSTED_PROXIES", "").split(",")))
forwarded_allow_ips = ",".join(str(ipaddress.ip_network(text, strict=False)) for text in _proxies)
control_socket_disable = True
logger_class = "wrapper_project.observability.log_config.GunicornLogger"
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
