"""Logging by an allow-list: a line contains only what is known to be safe.

Extra values are limited to `KEYS`. Messages of our own packages are logged in full. Of other
packages (urllib3, Django's database log, the servers) only the message template is logged, never
its arguments, which can be URLs, statements or bodies. A traceback has the class of each exception
and its lines of code; the text of an exception is logged only if the class is ours, and local
variables never.
"""

import contextvars
import logging
import os
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

import orjson
from gunicorn.glogging import Logger

OURS = (
    "wrapper_project",
    "accounts",
    "staff",
    "notifications",
    "schoolproxy",
    "social",
    "notes",
    "stats",
    "jobs",
    "limits",
    "store",
    "upstream",
)
KEYS = (
    "method", "route", "status", "code", "error", "ms", "account", "network", "school",
    "close_code", "count",
)  # fmt: skip
# Messages of the servers whose arguments are only process ids, signals and our own addresses.
HARMLESS = frozenset(
    {
        "Starting gunicorn %s", "Listening at: %s (%s)", "Listening at: %s", "Using worker: %s",
        "Booting worker with pid: %s", "Handling signal: %s", "Worker exiting (pid: %s)",
        "Shutting down: %s", "Hang up: %s", "WORKER TIMEOUT (pid:%s)",
        "Worker (pid:%s) exited with code %s.", "Worker (pid:%s) was sent %s!",
        "Worker (pid:%s) was sent %s! Perhaps out of memory?", "Connection in use: %s",
        "Invalid address: %s", "Can't connect to %s", "Parent changed, shutting down: %s",
        "Started server process [%d]", "Finished server process [%d]",
    }
)  # fmt: skip
MAX_FRAMES = 30
MAX_CHAIN = 5

request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")


def is_ours(module: str) -> bool:
    return module.partition(".")[0] in OURS


def facts(record: logging.LogRecord) -> dict[str, Any]:
    """Everything of a record that may be logged, as a mapping."""
    line: dict[str, Any] = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        + f".{int(record.msecs):03d}Z",
        "level": record.levelname,
        "logger": record.name,
    }
    if message := _message(record):
        line["message"] = message
    if not is_ours(record.name):
        line["at"] = f"{record.module}:{record.lineno}"
    if identity := request_id.get():
        line["request_id"] = identity
    for key in KEYS:
        value = record.__dict__.get(key)
        if isinstance(value, str | int | float):
            line[key] = value
    if record.exc_info and record.exc_info[1] is not None:
        line["exception"] = list(_chain(record.exc_info[1]))
    return line


def _message(record: logging.LogRecord) -> str:
    if is_ours(record.name) or record.msg in HARMLESS:
        return record.getMessage()
    # Without arguments the text may already contain them.
    return record.msg if record.args and isinstance(record.msg, str) else ""


def _chain(exception: BaseException) -> Iterator[dict[str, Any]]:
    """The exception and its causes, outermost first."""
    current: BaseException | None = exception
    for _ in range(MAX_CHAIN):
        if current is None:
            return
        kind = type(current)
        link: dict[str, Any] = {"class": f"{kind.__module__}.{kind.__qualname__}"}
        if is_ours(kind.__module__) and str(current):
            link["text"] = str(current)
        link["frames"] = _frames(current.__traceback__)
        yield link
        current = current.__cause__ or (
            None if current.__suppress_context__ else current.__context__
        )


def _frames(start: TracebackType | None) -> list[str]:
    walked = list(traceback.walk_tb(start))[-MAX_FRAMES:]
    codes = ((frame.f_code, line) for frame, line in walked)
    return [f"{code.co_filename}:{line} {code.co_name}" for code, line in codes]


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return orjson.dumps(facts(record), default=str).decode("utf-8", "replace")


class TextFormatter(logging.Formatter):
    """Formats the same values for a person at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        line = facts(record)
        chain = line.pop("exception", [])
        head = f"{line.pop('time')[11:]} {line.pop('level'):<7} {line.pop('logger')}"
        # Escape line breaks, so that no value can forge a log line.
        text = " ".join(
            [head, line.pop("message", ""), *(f"{key}={value}" for key, value in line.items())]
        ).replace("\n", "\\n")
        for link in chain:
            text += f"\n  {link['class']}: {link.get('text', '')}"
            text += "".join(f"\n    {frame}" for frame in link["frames"])
        return text


def formatter(style: str) -> logging.Formatter:
    return TextFormatter() if style == "text" else JsonFormatter()


def configure(config: Mapping[str, Any]) -> None:
    """Django's LOGGING_CONFIG. `config` is {"level": "INFO", "format": "json" or "text"}.

    Our own loggers have the operator's level. All others stay at WARNING, because at DEBUG they log
    what they send and receive.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(str(config.get("format", "json"))))
    root = logging.getLogger()
    for old in [h for h in root.handlers if isinstance(h.formatter, JsonFormatter | TextFormatter)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    level = logging.getLevelNamesMapping().get(str(config.get("level", "INFO")), logging.INFO)
    for name in OURS:
        logging.getLogger(name).setLevel(level)
    # Remove Django's own handlers: with DEBUG they would print the arguments of messages.
    for name in ("django", "django.server"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.setLevel(logging.NOTSET)
        logger.propagate = True
    # Our access log has 4xx and 5xx; Django would add the path.
    logging.getLogger("django.request").setLevel(logging.ERROR)
    # It warns of each attempt to connect, hundreds in an outage of a minute; the request that fails
    # and the worker log it themselves.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    # Otherwise a handler that fails prints the whole record with the exception's text.
    logging.raiseExceptions = False
    threading.excepthook = _log_thread_exception


def _log_thread_exception(args: threading.ExceptHookArgs) -> None:
    """Replaces Python's hook, which prints the text of the exception."""
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        logging.getLogger(__name__).error("a thread died", exc_info=args.exc_value)


class GunicornLogger(Logger):  # type: ignore[misc]
    """Formats the logs of gunicorn and uvicorn by the same rules, without an access log."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        default = "text" if os.environ.get("DEBUG", "").lower() in {"1", "true", "yes"} else "json"
        style = os.environ.get("LOG_FORMAT") or default
        for handler in self.error_log.handlers:
            handler.setFormatter(formatter(style))
