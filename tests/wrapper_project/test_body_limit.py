"""Under ASGI a body stops at the limit before it reaches the disk."""

import asyncio
from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from wrapper_project.body_limit import BodyLimit

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


def _send(chunks: list[bytes], headers: list[tuple[bytes, bytes]]) -> tuple[int, bytes, int]:
    """Status, body, and how many chunks were taken."""
    left = list(chunks)
    sent: list[Mapping[str, Any]] = []

    async def receive() -> Mapping[str, Any]:
        body = left.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(left)}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "headers": headers}
    asyncio.run(BodyLimit(_application, LIMIT)(scope, receive, send))
    assert len(sent) == 2
    return sent[0]["status"], sent[1]["body"], len(chunks) - len(left)


@pytest.mark.parametrize("sizes", [[0], [1000], [500, 500], [999, 1]])
def test_a_body_up_to_the_limit_passes(sizes: list[int]) -> None:
    chunks = [b"x" * size for size in sizes]
    assert _send(chunks, [])[:2] == (200, str(sum(sizes)).encode())


def test_a_body_that_is_announced_too_long_is_not_read() -> None:
    status, body, taken = _send([b"x"], [(b"content-length", b"1001")])
    assert (status, orjson.loads(body)["code"], taken) == (413, "too_large", 0)


def test_a_body_that_grows_too_long_is_cut_off() -> None:
    status, body, taken = _send([b"x" * 600] * 5, [(b"content-length", b"nonsense")])
    assert (status, orjson.loads(body)["code"], taken) == (413, "too_large", 2)
