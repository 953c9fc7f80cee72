"""What people do over HTTP: become friends, send messages, report."""

from typing import Any

from tests.conftest import Caller


def befriend(one: Caller, other: Caller, names: tuple[str, str]) -> None:
    """Make two people friends: a request, then its answer."""
    assert one.post("/api/friends", {"targetUsername": names[1]}).status_code == 201
    assert (
        other.patch("/api/friends", {"fromUsername": names[0], "accept": True}).status_code == 200
    )


def say(caller: Caller, conversation: str, text: str) -> dict[str, Any]:
    """Send a message; returns it."""
    answer = caller.post(f"/api/conversations/{conversation}/messages", {"content": text})
    assert answer.status_code == 201, answer.content
    message: dict[str, Any] = answer.json()["message"]
    return message


def dm_of(caller: Caller, username: str) -> str:
    """The id of the caller's direct conversation with somebody."""
    answer = caller.post("/api/conversations", {"targetUsername": username})
    assert answer.status_code in (200, 201), answer.content
    return str(answer.json()["conversation"]["id"])


def report(caller: Caller, kind: str, target: str, text: str = "") -> str:
    """Report something; returns the id of the report."""
    body = {"type": kind, "id": target, "reason": "bullying", "text": text}
    answer = caller.post("/api/reports", body)
    assert answer.status_code == 201, answer.content
    return str(answer.json()["report"]["id"])
