"""Requests about friends and blocks, over HTTP."""

from typing import Any

from tests.conftest import Caller

FRIENDS = "/api/friends"
BLOCKS = "/api/blocks"


def ask(caller: Caller, username: str) -> Any:
    """Send somebody a friend request."""
    return caller.post(FRIENDS, {"targetUsername": username})


def answer(caller: Caller, username: str, accept: bool = True) -> Any:
    """Answer somebody's request."""
    return caller.patch(FRIENDS, {"fromUsername": username, "accept": accept})


def befriend(one: Caller, one_name: str, other: Caller, other_name: str) -> dict[str, Any]:
    """Make two people friends; the friendship."""
    assert ask(one, other_name).status_code == 201
    answered = answer(other, one_name)
    assert answered.status_code == 200, answered.content
    friendship: dict[str, Any] = answered.json()["friendship"]
    return friendship


def block(caller: Caller, username: str) -> Any:
    """Block somebody."""
    return caller.post(BLOCKS, {"targetUsername": username})


def listed(caller: Caller) -> dict[str, Any]:
    """The caller's `friends`, `received`, `sent` and `profileMap`."""
    found = caller.get(FRIENDS)
    assert found.status_code == 200, found.content
    lists: dict[str, Any] = found.json()
    return lists


def names_in(caller: Caller, own_name: str, name: str) -> list[str]:
    """The other person of each entry in one of these lists."""
    return [
        row["userB"] if row["userA"] == own_name else row["userA"] for row in listed(caller)[name]
    ]


def code_of(response: Any) -> tuple[int, str]:
    """Status and code; the code of a success is empty."""
    return response.status_code, response.json().get("code", "")
