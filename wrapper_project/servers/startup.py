"""What gunicorn does before a server process serves.

Nothing here imports Django at import time, because gunicorn's configuration files use this module
before the settings are loaded.
"""

import ctypes
import fcntl
import gc
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NoReturn

# gunicorn ends, instead of restarting the worker for ever, if a worker exits with this code.
CANNOT_BOOT = 3
_locks: list[IO[str]] = []


def refuse(reasons: list[str]) -> NoReturn:
    """Print every reason and exit so that gunicorn exits, too."""
    for reason in reasons:
        sys.stderr.write(f"Refusing to start: {reason}\n")
    sys.stderr.flush()
    raise SystemExit(CANNOT_BOOT)


def refuse_to_start_on_errors() -> None:
    """Load the settings and apps, run the system checks, and exit if one is an error."""
    import django
    from django.core.checks import run_checks
    from django.core.exceptions import ImproperlyConfigured

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wrapper_project.settings")
    try:
        django.setup()
    except ImproperlyConfigured as error:
        refuse([str(error)])
    from wrapper_project import checks
    from wrapper_project.servers import store_checks

    reasons = [str(found.msg) for found in run_checks(tags=[checks.TAG]) if found.is_serious()]
    # The stores are checked only with settings that are valid.
    if reasons := reasons or list(store_checks.reasons_to_refuse_start()):
        refuse(reasons)


def take_process_lock(data_dir: Path) -> None:
    """Lock `data_dir` for this server. Exits if another server already has the lock.

    The kernel releases the lock when the process ends, however it ends.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    file = (data_dir / "process.lock").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        refuse(
            [
                f"another server already runs on {data_dir}, and without REDIS_URL two servers "
                "share no sessions, limits or events. Set REDIS_URL, or run only one."
            ]
        )
    _locks.append(file)


def require_single_server_without_redis(_server: Any = None) -> None:
    """gunicorn's `on_starting`: without Redis, allow one worker and lock DATA_DIR.

    Checked before there are workers: if two workers exit at the same moment, gunicorn's master
    prints a traceback after the reason.
    """
    if os.environ.get("REDIS_URL") or os.environ.get("REDIS_URL_FILE"):
        return
    if positive_integer("WEB_WORKERS", 1) > 1:
        refuse(["WEB_WORKERS is more than 1, but without REDIS_URL workers share no data."])
    default = Path(__file__).resolve().parents[2] / "var"
    take_process_lock(Path(os.environ.get("DATA_DIR") or default))


def prepare_worker(_worker: Any = None) -> None:
    """gunicorn's `post_worker_init`: the application is loaded, and no request has come yet."""
    from accounts import outbox

    freeze_loaded_objects()
    # Without Redis, hear of what commands change.
    outbox.start_polling()


def freeze_loaded_objects() -> None:
    """Exempt what is loaded at start from garbage collection, because it is never garbage.

    A full collection stops all threads of a worker while it looks at these 140,000 objects: for
    some 0.1 seconds, every few seconds under load.
    """
    from django.conf import settings

    import_module(settings.ROOT_URLCONF)  # the views: otherwise the first request loads them
    gc.collect()
    gc.freeze()


def create_metrics_directory(_server: Any = None) -> None:
    """gunicorn's `on_starting`: with METRICS and several workers, a directory to share metrics.

    prometheus-client reads the environment once, at import, so this runs before there are workers.
    """
    on = os.environ.get("METRICS", "").lower() in {"on", "1", "true", "yes"}
    if on and positive_integer("WEB_WORKERS", 1) > 1:
        memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
        folder = tempfile.mkdtemp(prefix="wrapper-metrics-", dir=memory)
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder


def remove_worker_metrics(_server: Any, worker: Any) -> None:
    """gunicorn's `child_exit`: remove the live gauges of a worker that has ended."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def remove_metrics_directory(_server: Any) -> None:
    """gunicorn's `on_exit`."""
    if folder := os.environ.pop("PROMETHEUS_MULTIPROC_DIR", ""):
        shutil.rmtree(folder, ignore_errors=True)


def positive_integer(name: str, default: int) -> int:
    """A whole number of at least 1 from the environment. Exits if the value is another."""
    text = os.environ.get(name) or str(default)
    if not (text.isascii() and text.isdigit() and int(text) >= 1):
        refuse([f"{name} must be a whole number of at least 1."])
    return int(text)


def limit_malloc_arenas() -> bool:
    """Limit glibc's malloc to two arenas. Returns False where the C library is not glibc.

    By default threads get up to eight arenas a core, and each keeps the memory that its threads
    free. Measured with 64 threads that parse and write a document of 500 KB: 19 MiB resident
    instead of 29. Python's interpreter lock keeps the threads from competing for two.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    m_arena_max = -8  # of malloc.h
    return bool(ctypes.CDLL(None).mallopt(m_arena_max, 2))


def use_json_error_bodies(util: Any) -> None:
    """Make gunicorn answer malformed HTTP with our JSON error body.

    `util` is `gunicorn.util`. Its own HTML page would repeat what the client sent.
    """
    write: Callable[[Any, bytes], None] = util.write_nonblock

    def write_error(sock: Any, status_int: int, reason: str, _mesg: str) -> None:
        write(sock, malformed_http_response(status_int, reason))

    util.write_error = write_error


def malformed_http_response(status: int, reason: str) -> bytes:
    """The whole response to something that is no valid HTTP.

    The headers of such a request are not read, so it is in DEFAULT_LANGUAGE.
    """
    from django.conf import settings
    from django.utils import translation

    from wrapper_project import error_table

    row = error_table.BAD_REQUEST if status < 500 else error_table.UNEXPECTED
    with translation.override(settings.DEFAULT_LANGUAGE):
        body = json.dumps(row.body()).encode()
    head = (
        f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\n"
        "Content-Type: application/json\r\nCache-Control: no-store\r\n"
        f"Content-Language: {settings.DEFAULT_LANGUAGE}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("latin-1") + body
