"""gunicorn for WebSockets: `gunicorn -c deploy/sockets.conf.py wrapper_project.asgi:application`.

Reads SOCKETS_PORT. The process serves HTTP, too, so without Redis it can be the only process. It
listens on every address; `BIND_HOST=127.0.0.1` limits it to this machine.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from wrapper_project.observability.log_config import GunicornLogger
from wrapper_project.servers import startup

# Before there are threads. Workers are forked and inherit it.
startup.limit_malloc_arenas()

bind = f"{os.environ.get('BIND_HOST', '0.0.0.0')}:{startup.positive_integer('SOCKETS_PORT', 8001)}"  # noqa: S104
worker_class = "wrapper_project.servers.socket_worker.SocketWorker"
# One worker serves thousands of sockets. For more, add machines.
workers = 1
backlog = 1024
on_starting = startup.require_single_server_without_redis
post_worker_init = startup.prepare_worker

keepalive = 75
graceful_timeout = 10
timeout = 60

# Only TrustedProxyMiddleware reads forwarded addresses and schemes.
forwarded_allow_ips = ""
control_socket_disable = True
logger_class = GunicornLogger
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
