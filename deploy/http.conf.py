"""gunicorn for HTTP: `gunicorn -c deploy/http.conf.py wrapper_project.wsgi:application`.

Reads WEB_PORT, WEB_WORKERS, WEB_THREADS. It listens on every address, because a
container has to; `BIND_HOST=127.0.0.1` limits it to this machine.
"""

import os
import sys
from pathlib import Path

from gunicorn import util

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from wrapper_project.observability.log_config import GunicornLogger
from wrapper_project.servers import startup
from wrapper_project.servers.balance import Balance

startup.use_json_error_bodies(util)
# Before there are threads. Workers are forked and inherit it.
startup.limit_malloc_arenas()

bind = f"{os.environ.get('BIND_HOST', '0.0.0.0')}:{startup.positive_integer('WEB_PORT', 8000)}"  # noqa: S104
worker_class = "wrapper_project.servers.http_worker.HttpWorker"
workers = startup.positive_integer("WEB_WORKERS", 1)
threads = startup.positive_integer("WEB_THREADS", 64)
worker_connections = 1000 + threads
backlog = 1024


def on_starting(server):
    startup.require_single_server_without_redis(server)
    startup.create_metrics_directory(server)


balance = Balance(workers)
pre_fork = balance.before_fork
post_fork = balance.after_fork


def child_exit(server, worker):
    startup.remove_worker_metrics(server, worker)
    balance.after_exit(worker)


post_worker_init = startup.prepare_worker
on_exit = startup.remove_metrics_directory

# Longer than proxies keep connections: closing one first would cause an error there.
keepalive = 75
# An upstream call may take 8 seconds, so requests get that long to finish at shutdown.
graceful_timeout = 10
timeout = 60

# Only TrustedProxyMiddleware reads forwarded addresses and schemes.
forwarded_allow_ips = ""
secure_scheme_headers = {}
control_socket_disable = True
logger_class = GunicornLogger
# The heartbeat file must not be on a slow disk.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
