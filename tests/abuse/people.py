"""What people do to and for each other, over HTTP only."""

from typing import Any

from tests.social.cast import Person
from tests.social.friend_requests import code_of

FRIENDS, BLOCKS, REPORTS = "/api/friends", "/api/blocks", "/api/reports"
REFUSED = (403, "dm_refused")
NOT_FOUND = (404, "not_found")


def ask(asker: Person, other: Person) -> Any:
    """Send a friend request."""
    return asker.post(FRIENDS, {"targetUsername": other.username})


def become_friends(asker: Person, other: Person) -> None:
    """A request and its answer. A pupil asks an adult, never the other way."""
    assert ask(asker, other).status_code == 201
    answered = other.patch(FRIENDS, {"fromUsername": asker.username, "accept": True})
    assert answered.status_code == 200, answered.content


def part(one: Person, other: Person) -> None:
    """End the friendship."""
    assert one.delete(FRIENDS, {"targetUsername": other.username}).status_code == 200


def block(one: Person, other: Person) -> None:
    """Block somebody."""
    answer = one.post(BLOCKS, {"targetUsername": other.username})
    assert answer.status_code == 201, answer.content


def write(person: Person, conversation: Any, content: str = "Hej") -> tuple[int, str]:
    """Try to send a message."""
    path = f"/api/conversations/{conversation['id']}/messages"
    return code_of(person.post(path, {"content": content}))


def change(person: Person, message: Any, action: str, **fields: Any) -> tuple[int, str]:
    """Try to change a message."""
    path = f"/api/conversations/{message['conversationId']}/{message['id']}"
    return code_of(person.patch(path, {"action": action} | fields))


def report(person: Person, kind: str, target: str, **more: Any) -> Any:
    """The response to a report."""
    body = {"type": kind, "id": target, "reason": "threat", "text": "Det är om mig."} | more
    return person.post(REPORTS, body)


def own_lists(person: Person) -> str:
    """All that a person sees without asking about anybody."""
    paths = (FRIENDS, "/api/group-invites", "/api/conversations", "/api/profile")
    answers = [person.get(path) for path in paths]
    assert {answer.status_code for answer in answers} == {200}
    return "\n".join(answer.content.decode() for answer in answers)
