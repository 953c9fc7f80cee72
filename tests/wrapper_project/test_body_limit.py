"""Under ASGI a body stops at the limit before it reaches the disk."""

import asyncio
from collections.abc import Mapping
from typing import Any

import orjson
import pytest
from django.urls import resolve

from tests.contract.routes import every_route
from wrapper_project.servers.body_limit import LARGER, MAX_DISCARDED_TEXT_BYTES, BodyLimit

LIMIT = 1000


async def _application(scope: Any, receive: Any, send: Any) -> None:
    """Counts the body, as Django reads it."""
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


def _send(
    chunks: list[bytes], headers: list[tuple[bytes, bytes]], path: str = "/api/login"
) -> tuple[int, bytes, int]:
    """Status, body, and how many chunks were taken."""
    left = list(chunks)
    sent: list[Mapping[str, Any]] = []

    async def receive() -> Mapping[str, Any]:
        body = left.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(left)}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "path": path, "headers": headers}
    asyncio.run(BodyLimit(_application, LIMIT)(scope, receive, send))
    assert len(sent) == 2
    return sent[0]["status"], sent[1]["body"], len(chunks) - len(left)


@pytest.mark.parametrize("sizes", [[0], [1000], [500, 500], [999, 1]])
def test_a_body_up_to_the_limit_passes(sizes: list[int]) -> None:
    chunks = [b"x" * size for size in sizes]
    assert _send(chunks, [])[:2] == (200, str(sum(sizes)).encode())


def test_a_body_that_is_announced_too_long_is_thrown_away_before_the_answer() -> None:
    status, body, taken = _send([b"x"] * 3, [(b"content-length", b"1001")])
    assert (status, orjson.loads(body)["code"], taken) == (413, "too_large", 3)


def test_a_body_that_is_announced_beyond_all_measure_is_not_read() -> None:
    announced = str(MAX_DISCARDED_TEXT_BYTES + 1).encode()
    status, body, taken = _send([b"x"], [(b"content-length", announced)])
    assert (status, orjson.loads(body)["code"], taken) == (413, "too_large", 0)


def test_a_body_that_grows_too_long_is_thrown_away_up_to_a_bound() -> None:
    status, body, taken = _send([b"x" * 600] * 5, [(b"content-length", b"nonsense")])
    assert (status, orjson.loads(body)["code"], taken) == (413, "too_large", 5)
    mebibyte = b"x" * 1024 * 1024
    assert _send([mebibyte] * 40, [])[::2] == (413, 5)


@pytest.mark.parametrize("path", sorted(LARGER))
def test_more_is_taken_where_files_are(path: str) -> None:
    assert _send([b"x" * 600] * 5, [], path)[:2] == (200, b"3000")
    announced = [(b"content-length", str(LARGER[path] + 1).encode())]
    # Read to its end all the same: whoever sends a file hears the reason.
    assert _send([b"x"] * 9, announced, path)[::2] == (413, 9)
    assert _send([b"x" * LARGER[path]] + [b"x"] * 9, [], path)[::2] == (413, 10)
    mebibyte = b"x" * 1024 * 1024
    assert _send([mebibyte] * 40, announced, path)[::2] == (413, 16)
    assert _send([b"x" * 600] * 5, [], f"{path}/")[0] == 413


def test_files_are_taken_where_views_take_forms() -> None:
    views = {route.path: resolve(route.path).func for route in every_route()}
    assert set(LARGER) == {
        path
        for path, view in views.items()
        if getattr(getattr(view, "cls", None), "takes_forms", False)
    }
