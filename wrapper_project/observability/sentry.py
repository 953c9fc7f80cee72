"""Reports unexpected errors to Sentry if SENTRY_DSN is set.

An event is rebuilt from an allow-list by the rules of `log_config`: the exception's class and lines
of code, and its text only if the class is ours. No local variables, bodies, headers, queries or
people. So it does not matter what else the SDK collects, today or in a later version.
"""

import logging
from typing import TYPE_CHECKING, Any

from wrapper_project.observability import log_config

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

# Keys that are kept of the SDK's event, and (FRAME) of each stack frame.
KEPT = ("event_id", "timestamp", "level", "logger", "platform", "release", "environment", "sdk")
FRAME = ("filename", "abs_path", "function", "module", "lineno", "in_app")


def start(dsn: str, *, release: str) -> None:
    """Start reporting logged errors and exceptions that end a thread or the process."""
    import sentry_sdk
    from sentry_sdk.integrations.atexit import AtexitIntegration
    from sentry_sdk.integrations.dedupe import DedupeIntegration
    from sentry_sdk.integrations.excepthook import ExcepthookIntegration
    from sentry_sdk.integrations.logging import LoggingIntegration

    sentry_sdk.init(
        dsn=dsn,
        release=release,
        before_send=scrub_event,
        include_local_variables=False,
        auto_session_tracking=False,
        send_client_reports=False,
        # No integrations that read requests, queries or calls, or that patch libraries.
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            LoggingIntegration(level=None, event_level=logging.ERROR, sentry_logs_level=None),
            DedupeIntegration(),
            ExcepthookIntegration(),
            # Without the SDK's message on standard error when a process ends.
            AtexitIntegration(callback=lambda _pending, _timeout: None),
        ],
    )


def scrub_event(event: "Event", hint: "Hint") -> "Event | None":
    """A new event with only the allowed values of the SDK's event and its log record."""
    event_sent: dict[str, Any] = {key: event[key] for key in KEPT if key in event}  # type: ignore[literal-required]
    record = hint.get("log_record")
    if isinstance(record, logging.LogRecord):
        facts = log_config.facts(record)
        event_sent["logentry"] = {"message": facts.get("message", record.name)}
        event_sent["tags"] = {key: facts[key] for key in ("code", "route") if key in facts}
    if identity := log_config.request_id.get():
        event_sent.setdefault("tags", {})["request_id"] = identity
    if values := (event.get("exception") or {}).get("values"):
        event_sent["exception"] = {"values": [_exception(value) for value in values]}
    return event_sent  # type: ignore[return-value]


def _exception(value: dict[str, Any]) -> dict[str, Any]:
    """The class and frames, and the text if the class is ours (others may contain data)."""
    module = value.get("module") or ""
    frames = (value.get("stacktrace") or {}).get("frames") or []
    return {
        "type": value.get("type"),
        "module": module,
        "value": value.get("value") if log_config.is_ours(module) else "",
        "stacktrace": {
            "frames": [{key: frame[key] for key in FRAME if key in frame} for frame in frames]
        },
    }
