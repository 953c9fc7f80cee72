"""Reports of unexpected errors to Sentry: only with SENTRY_DSN, and by an allow-list.

What is sent is made anew from `log_config`'s rules: class and places in the code, a text only
where it is ours. No local variable, no body, no header, no query, no person: the SDK's own
defaults sent tokens out of local variables. Each switch below closes one of its ways; `scrub_event`
holds even where a later version opens another.
"""

import logging
from typing import TYPE_CHECKING, Any

from wrapper_project.observability import log_config

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

# What is kept of the SDK's own event; FRAME: of each place in the code.
KEPT = ("event_id", "timestamp", "level", "logger", "platform", "release", "environment", "sdk")
# What the SDK would collect by itself. (Its older switch for all this, `send_default_pii`, is off.)
OFF: Any = {"mode": "off"}
NOTHING: Any = {
    "user_info": False,
    "cookies": OFF,
    "http_headers": {"request": OFF},
    "http_bodies": [],
    "url_query_params": OFF,
    "graphql": {"document": False, "variables": False},
    "gen_ai": {"inputs": False, "outputs": False},
    "database_query_data": False,
    "queues": False,
    "stack_frame_variables": False,
    "frame_context_lines": 0,
}
FRAME = ("filename", "abs_path", "function", "module", "lineno", "in_app")


def start(dsn: str, *, release: str) -> None:
    """Report from now on what is logged as an error, and what ends a thread or the process."""
    import sentry_sdk
    from sentry_sdk.integrations.atexit import AtexitIntegration
    from sentry_sdk.integrations.dedupe import DedupeIntegration
    from sentry_sdk.integrations.excepthook import ExcepthookIntegration
    from sentry_sdk.integrations.logging import LoggingIntegration

    sentry_sdk.init(
        dsn=dsn,
        release=release,
        before_send=scrub_event,
        data_collection=NOTHING,
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        server_name="",
        auto_session_tracking=False,
        send_client_reports=False,
        traces_sample_rate=None,
        # None that looks into requests, queries or calls; no patching of libraries.
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            LoggingIntegration(level=None, event_level=logging.ERROR, sentry_logs_level=None),
            DedupeIntegration(),
            ExcepthookIntegration(),
            AtexitIntegration(callback=_say_nothing),
        ],
    )


def _say_nothing(pending: int, timeout: float) -> None:
    """Instead of the SDK's words on standard error while a process ends."""
    del pending, timeout


def scrub_event(event: "Event", hint: "Hint") -> "Event | None":
    """A new event with what may be told, from the SDK's event and what it was made of."""
    told: dict[str, Any] = {key: event[key] for key in KEPT if key in event}  # type: ignore[literal-required]
    record = hint.get("log_record")
    if isinstance(record, logging.LogRecord):
        facts = log_config.facts(record)
        told["logentry"] = {"message": facts.get("message", record.name)}
        told["tags"] = {key: facts[key] for key in ("code", "route") if key in facts}
    if identity := log_config.request_id.get():
        told.setdefault("tags", {})["request_id"] = identity
    if values := (event.get("exception") or {}).get("values"):
        told["exception"] = {"values": [_exception(value) for value in values]}
    return told  # type: ignore[return-value]


def _exception(value: dict[str, Any]) -> dict[str, Any]:
    """Class and places; the text where the class is ours. (Another's can hold a row or a URL.)"""
    module = value.get("module") or ""
    frames = (value.get("stacktrace") or {}).get("frames") or []
    return {
        "type": value.get("type"),
        "module": module,
        "value": value.get("value") if log_config.is_ours(module) else "",
        "stacktrace": {"frames": [_frame(frame) for frame in frames]},
    }


def _frame(frame: dict[str, Any]) -> dict[str, Any]:
    return {key: frame[key] for key in FRAME if key in frame}
