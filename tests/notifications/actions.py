"""What the tests read of notifications, over HTTP."""

from typing import Any

from tests.conftest import Caller

PATH = "/api/notifications"
SETTINGS = f"{PATH}/settings"
SUBSCRIPTIONS = "/api/push/subscriptions"


def listed(caller: Caller, **query: str) -> list[dict[str, Any]]:
    answer = caller.http.get(PATH, query)
    assert answer.status_code == 200, answer.content
    rows: list[dict[str, Any]] = answer.json()["notifications"]
    return rows


def unread(caller: Caller) -> int:
    count: int = caller.get(PATH).json()["unread"]
    return count


def of_kind(caller: Caller, kind: str) -> list[dict[str, Any]]:
    """The unread ones of this kind."""
    return [each for each in listed(caller) if each["kind"] == kind and each["readAt"] is None]
