"""gunicorn for HTTP: `gunicorn -c deploy/http.conf.py wrapper_project.wsgi:application`.

Reads BIND_HOST, WEB_PORT, WEB_WORKERS, WEB_THREADS.
"""

import os
import shutil
import tempfile
from pathlib import Path

bind = f"{os.environ.get('BIND_HOST') or '127.0.0.1'}:{os.environ.get('WEB_PORT') or 8000}"
worker_class = "gthread"
workers = os.environ.get("WEB_WORKERS") or 1
threads = os.environ.get("WEB_THREADS") or 64
worker_connections = 2000
backlog = 1024
post_worker_init = "wrapper_project.servers.startup.freeze_loaded_objects"

# Bytes of one header. A browser sends the cookies of all services on the domain in one.
limit_request_field_size = 16_384

# Longer than proxies keep connections: closing one first would cause an error there.
keepalive = 75
# An upstream call may take 8 seconds, so requests get that long to finish at shutdown.
graceful_timeout = 10
timeout = 60

# Only TrustedProxyMiddleware reads forwarded addresses and schemes.
forwarded_allow_ips = ""
secure_scheme_headers = {}
control_socket_disable = True
logger_class = "wrapper_project.observability.log_config.GunicornLogger"
# The heartbeat file must not be on a slow disk.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108


def on_starting(_server):
    """Make the folder in which prometheus-client adds up the metrics of several workers."""
    if str(workers) != "1":
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(
            prefix="wrapper-metrics-", dir=worker_tmp_dir
        )


def child_exit(_server, worker):
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)


def on_exit(_server):
    shutil.rmtree(os.environ.pop("PROMETHEUS_MULTIPROC_DIR", ""), ignore_errors=True)
