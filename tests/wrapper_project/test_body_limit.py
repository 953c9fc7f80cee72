"""Under ASGI, a body over the limit never reaches the disk."""

import asyncio
from collections.abc import Mapping
from typing import Any

import orjson
import pytest
from django.urls import resolve

from tests.contract.routes import every_route
from wrapper_project.servers.body_limit import MAX_DISCARDED_BYTES, UPLOAD_LIMITS, BodyLimit

LIMIT = 1000


async def _application(scope: Any, receive: Any, send: Any) -> None:
    """Reads the body as Django does, and counts it."""
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
    """Status, body, and how many chunks were read."""
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


def test_a_body_with_too_large_a_length_is_drained_before_the_413() -> None:
    status, body, taken = _send([b"x"] * 3, [(b"content-length", b"1001")])
    assert (status, orjson.loads(body)["code"], taken) == (413, "too_large", 3)


def test_the_413_is_in_the_language_of_the_client() -> None:
    headers = [(b"content-length", b"1001"), (b"accept-language", b"sv-SE,sv;q=0.9")]
    assert orjson.loads(_send([b"x"], headers)[1])["error"] == (
        "Det du skickade är för stort. Skicka mindre, eller en mindre fil."
    )


def test_a_body_too_large_to_drain_is_not_read() -> None:
    announced = str(MAX_DISCARDED_BYTES + 1).encode()
    status, body, taken = _send([b"x"], [(b"content-length", announced)])
    assert (status, orjson.loads(body)["code"], taken) == (413, "too_large", 0)


def test_a_body_that_grows_too_large_is_drained_up_to_a_limit() -> None:
    status, body, taken = _send([b"x" * 600] * 5, [(b"content-length", b"nonsense")])
    assert (status, orjson.loads(body)["code"], taken) == (413, "too_large", 5)
    mebibyte = b"x" * 1024 * 1024
    assert _send([mebibyte] * 40, [])[::2] == (413, 17)


@pytest.mark.parametrize("path", sorted(UPLOAD_LIMITS))
def test_uploads_have_a_higher_limit(path: str) -> None:
    assert _send([b"x" * 600] * 5, [], path)[:2] == (200, b"3000")
    announced = [(b"content-length", str(UPLOAD_LIMITS[path] + 1).encode())]
    # Drained all the same, so that the client gets the response.
    assert _send([b"x"] * 9, announced, path)[::2] == (413, 9)
    assert _send([b"x" * UPLOAD_LIMITS[path]] + [b"x"] * 9, [], path)[::2] == (413, 10)
    mebibyte = b"x" * 1024 * 1024
    assert _send([mebibyte] * 40, announced, path)[::2] == (413, 16)
    assert _send([b"x" * 600] * 5, [], f"{path}/")[0] == 413


def test_every_view_that_takes_forms_has_the_limit_of_uploads() -> None:
    views = {route.path: resolve(route.path).func for route in every_route()}
    assert set(UPLOAD_LIMITS) == {
        path
        for path, view in views.items()
        if getattr(getattr(view, "cls", None), "takes_forms", False)
    }
