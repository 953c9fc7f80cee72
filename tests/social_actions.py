"""What people do over HTTP: become friends, send messages, found groups, report."""

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


def new_group(caller: Caller, *usernames: str, name: str = "Ugglorna") -> str:
    """The id of a new group, to which these people belong or, unless they are friends, are
    invited."""
    body = {"type": "group", "groupName": name, "members": usernames}
    answer = caller.post("/api/conversations", body)
    assert answer.status_code == 201, answer.content
    return str(answer.json()["conversation"]["id"])


def answer_invite(caller: Caller, *, accept: bool = True) -> None:
    """Answer the only invite to a group."""
    (invite,) = caller.get("/api/group-invites").json()["invites"]
    body = {"inviteId": invite["id"], "accept": accept}
    assert caller.patch("/api/group-invites", body).status_code == 200


def report(
    caller: Caller, kind: str, target: str, text: str = "", *, reason: str = "bullying"
) -> str:
    """Report something; returns the id of the report."""
    body = {"type": kind, "id": target, "reason": reason, "text": text}
    answer = caller.post("/api/reports", body)
    assert answer.status_code == 201, answer.content
    return str(answer.json()["report"]["id"])
