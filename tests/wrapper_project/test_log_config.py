"""A log line contains only allowed values."""

import io
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import orjson
import pytest
import uvicorn.server
from gunicorn import arbiter, sock
from gunicorn.workers import gthread

from upstream.errors import UpstreamFailing
from wrapper_project.observability import log_config

CANARY = "canary-7d1f"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What the handler writes at DEBUG, as JSON."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(log_config.JsonFormatter())
    root = logging.getLogger()
    root.addHandler(handler)
    levels = {name: logging.getLogger(name).level for name in log_config.OURS}
    for name in log_config.OURS:
        logging.getLogger(name).setLevel(logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def _only(stream: io.StringIO) -> dict[str, object]:
    found = stream.getvalue().splitlines()
    assert len(found) == 1
    line: dict[str, object] = orjson.loads(found[0])
    return line


def test_our_own_messages_are_logged(lines: io.StringIO) -> None:
    logging.getLogger("accounts.services").info("%s was renewed", "a session")
    line = _only(lines)
    assert (line["level"], line["message"]) == ("INFO", "a session was renewed")


def test_only_the_template_of_other_packages_is_logged(lines: io.StringIO) -> None:
    logging.getLogger("library.pool").warning("Retrying %s", f"https://x/{CANARY}")
    line = _only(lines)
    assert line["message"] == "Retrying %s"
    assert CANARY not in lines.getvalue()


def test_messages_of_the_servers_that_are_logged_whole_exist() -> None:
    modules = (arbiter, sock, gthread, uvicorn.server)
    source = "".join(Path(str(module.__file__)).read_text("utf-8") for module in modules)
    for template in log_config.HARMLESS:
        assert template.removesuffix(" Perhaps out of memory?") in source, template


def test_a_formatted_message_of_other_packages_is_not_logged(lines: io.StringIO) -> None:
    text = f"GET /{CANARY}"
    logging.getLogger("websockets.server").error(text)
    assert "message" not in _only(lines)
    assert CANARY not in lines.getvalue()


@pytest.mark.parametrize(
    "name",
    [
        "urllib3",
        "requests",
        "django.request",
        "django.db.backends",
        "django.server",
        "asyncio",
        "uvicorn",
    ],
)
def test_other_packages_do_not_log_below_warning(name: str, lines: io.StringIO) -> None:
    logging.getLogger(name).debug("GET %s", CANARY)
    logging.getLogger(name).info("GET %s", CANARY)
    assert lines.getvalue() == ""


def test_a_key_that_is_not_on_the_list_is_dropped(lines: io.StringIO) -> None:
    extra = {"password": CANARY, "status": 200, "account": {"name": CANARY}}
    logging.getLogger("accounts").info("done", extra=extra)
    line = _only(lines)
    assert line["status"] == 200
    assert CANARY not in lines.getvalue()


def test_a_traceback_has_lines_and_classes_but_no_values(lines: io.StringIO) -> None:
    def fail() -> None:
        token = CANARY  # a local variable: must not be logged
        raise ValueError(token)

    try:
        try:
            fail()
        except ValueError as error:
            raise UpstreamFailing("answered 500") from error
    except UpstreamFailing:
        logging.getLogger("upstream").exception("it failed")
    assert CANARY not in lines.getvalue()
    chain = _only(lines)["exception"]
    assert isinstance(chain, list)
    assert [link["class"] for link in chain] == [
        "upstream.errors.UpstreamFailing",
        "builtins.ValueError",
    ]
    assert chain[0]["text"] == "answered 500"
    assert "text" not in chain[1]
    assert any(frame.endswith(" fail") for frame in chain[1]["frames"])


def test_a_line_cannot_be_forged(lines: io.StringIO) -> None:
    record = logging.makeLogRecord({"name": "accounts", "msg": "a\nFORGED", "route": "b\nFORGED"})
    assert "\n" not in log_config.JsonFormatter().format(record)
    assert "\n" not in log_config.TextFormatter().format(record)


def test_the_text_format_has_the_same_values() -> None:
    record = logging.makeLogRecord(
        {"name": "accounts", "msg": "done", "levelname": "INFO", "status": 200, "password": CANARY}
    )
    text = log_config.TextFormatter().format(record)
    assert "accounts done" in text
    assert "status=200" in text
    assert CANARY not in text


def test_an_exception_in_a_thread_is_logged_without_values(
    lines: io.StringIO, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # pytest replaces our hook.
    monkeypatch.setattr(threading, "excepthook", log_config._log_thread_exception)

    def die() -> None:
        raise ValueError(CANARY)

    thread = threading.Thread(target=die)
    thread.start()
    thread.join()
    assert CANARY not in lines.getvalue() + capfd.readouterr().err
    # Servers of other tests may write, too.
    said = [orjson.loads(line).get("message") for line in lines.getvalue().splitlines()]
    assert said.count("a thread died") == 1


def test_a_failing_handler_prints_nothing(
    capfd: pytest.CaptureFixture[str],
) -> None:
    closed = io.StringIO()
    closed.close()
    handler = logging.StreamHandler(closed)
    logger = logging.getLogger("accounts.closed")
    logger.addHandler(handler)
    try:
        logger.error("a line with %s", CANARY)
    finally:
        logger.removeHandler(handler)
    assert "Logging error" not in capfd.readouterr().err


def test_configuring_twice_does_not_write_twice() -> None:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    try:
        log_config.configure({"level": "INFO", "format": "json"})
        log_config.configure({"level": "INFO", "format": "text"})
        ours = (log_config.JsonFormatter, log_config.TextFormatter)
        assert len([h for h in root.handlers if isinstance(h.formatter, ours)]) == 1
    finally:
        root.handlers[:] = before
        root.setLevel(level)


def test_an_exception_without_a_text_can_be_logged() -> None:
    loop = ValueError()
    loop.__cause__ = loop
    record = logging.makeLogRecord({"name": "accounts", "exc_info": (ValueError, loop, None)})
    chain = log_config.facts(record)["exception"]
    assert len(chain) == log_config.MAX_CHAIN
    assert SimpleNamespace(**chain[0]).frames == []
