"""The objects that rows of the permission matrix name, created over HTTP."""

from collections.abc import Callable
from typing import Any

from tests.accounts.images import new_picture
from tests.conftest import Caller, signed_in
from tests.contract.permission_matrix import PUSH


def countdown(elsa: Caller) -> str:
    """The id of a countdown of Elsa."""
    answer = elsa.post("/api/countdowns", {"title": "Prov", "targetDate": "2027-05-11"})
    return str(answer.json()["countdown"]["id"])


def note(elsa: Caller) -> str:
    """The id of a note of Elsa."""
    return str(elsa.post("/api/notes", {"content": "Läs kapitel 3."}).json()["note"]["id"])


def share_token(elsa: Caller) -> str:
    """The share token of a note of Elsa."""
    return str(elsa.post(f"/api/notes/{note(elsa)}/share").json()["token"])


def teacher(elsa: Caller) -> str:
    """The username of a teacher of Elsa's school, who has no friends."""
    signed_in("torbjörn.ekvik")
    return "torbjörn.ekvik"


def friendship(elsa: Caller) -> str:
    """The id of the friendship of Elsa and Bo."""
    signed_in("bo.ek").post("/api/friends", {"targetUsername": "elsa.nordvall"})
    body = {"fromUsername": "bo.ek", "accept": True}
    return str(elsa.patch("/api/friends", body).json()["friendship"]["id"])


def request(elsa: Caller) -> str:
    """The id of a friend request of Ömer to Elsa."""
    body = {"targetUsername": "elsa.nordvall"}
    asked = signed_in("ömer.sjölin").post("/api/friends", body)
    return str(asked.json()["friendship"]["id"])


def notification(elsa: Caller) -> str:
    """The id of a notification of Elsa: Ömer asks to be a friend."""
    request(elsa)
    return str(elsa.get("/api/notifications").json()["notifications"][0]["id"])


def subscription(elsa: Caller) -> str:
    """The id of a push subscription of Elsa."""
    made = elsa.post("/api/push/subscriptions", PUSH)
    return str(made.json()["subscription"]["id"])


def who_blocked_alva(elsa: Caller) -> str:
    """The username of Elsa, who has blocked Alva."""
    signed_in("alva.lind")
    elsa.post("/api/blocks", {"targetUsername": "alva.lind"})
    return "elsa.nordvall"


def conversation(elsa: Caller) -> str:
    """The id of the conversation of Elsa and Bo."""
    signed_in("bo.ek")
    made = elsa.post("/api/conversations", {"targetUsername": "bo.ek"})
    return str(made.json()["conversation"]["id"])


def group(elsa: Caller) -> str:
    """The id of a group of Elsa with her friend Bo."""
    friendship(elsa)
    return _group_with("bo.ek", elsa)


def invite(elsa: Caller) -> str:
    """The id of an invite for Elsa into a group of Ömer."""
    _group_with("elsa.nordvall", signed_in("ömer.sjölin"))
    return str(elsa.get("/api/group-invites").json()["invites"][0]["id"])


def _group_with(username: str, caller: Caller) -> str:
    body = {"type": "group", "groupName": "Ugglorna", "members": [username]}
    return str(caller.post("/api/conversations", body).json()["conversation"]["id"])


def message(elsa: Caller) -> str:
    """ "group id/message id" of a message of Elsa in a group with her friend Bo."""
    group_id = group(elsa)
    made = elsa.post(f"/api/conversations/{group_id}/messages", {"content": "Hej"})
    return f"{group_id}/{made.json()['message']['id']}"


# Name in the matrix -> function that creates the object and returns its id.
MAKERS: dict[str, Callable[[Caller], str]] = {
    "conversation": conversation,
    "countdown": countdown,
    "friendship": friendship,
    "group": group,
    "invite": invite,
    "message": message,
    "note": note,
    "notification": notification,
    "picture": new_picture,
    "request": request,
    "session": lambda elsa: str(elsa.get("/api/sessions").json()["sessions"][0]["id"]),
    "share_token": share_token,
    "subscription": subscription,
    "teacher": teacher,
    "who_blocked_alva": who_blocked_alva,
}


class ElsasObjects(dict[str, str]):
    """For `format_map`: creates each object once."""

    def __init__(self, elsa: Caller) -> None:
        super().__init__()
        self.elsa = elsa

    def __missing__(self, name: str) -> str:
        self[name] = MAKERS[name](self.elsa)
        return self[name]


def fill(value: Any, objects: ElsasObjects) -> Any:
    """The body with every `{name}` replaced."""
    if isinstance(value, str):
        return value.format_map(objects)
    if isinstance(value, dict):
        return {name: fill(part, objects) for name, part in value.items()}
    if isinstance(value, list):
        return [fill(part, objects) for part in value]
    return value
