"""DELETE of what is gone: by its own id 404, of a relation the same as the first time."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.accounts.images import new_picture
from tests.conftest import Caller, signed_in
from tests.contract.elsas_objects import ElsasObjects, fill
from tests.contract.routes import every_route

GONE, AS_BEFORE = 404, 200


@dataclass(frozen=True)
class Delete:
    """A DELETE of something of Elsa's, and what the second one answers."""

    name: str
    path: str
    again: int
    body: dict[str, Any] | None = None
    before: str = ""  # a path that Elsa posts to first


DELETES = [
    Delete("notes", "/api/notes?id={note}", GONE),
    Delete("note", "/api/notes/{note}", GONE),
    Delete("note-share", "/api/notes/{note}/share", AS_BEFORE),
    Delete("countdowns", "/api/countdowns?id={countdown}", GONE),
    Delete("countdown", "/api/countdowns/{countdown}", GONE),
    Delete("message", "/api/conversations/{message}", GONE),
    Delete("notification", "/api/notifications/{notification}", GONE),
    Delete("push-subscription", "/api/push/subscriptions/{subscription}", GONE),
    Delete("sessions-entry", "/api/sessions/{other_session}", GONE),
    Delete("sessions", "/api/sessions", AS_BEFORE),
    Delete("friends", "/api/friends?friendshipId={friendship}", GONE),
    Delete("friends", "/api/friends", AS_BEFORE, {"targetUsername": "{friend}"}),
    Delete("blocks", "/api/blocks", AS_BEFORE, {"targetUsername": "{blocked}"}),
    Delete("blocks", "/api/blocks?targetUsername={blocked}", AS_BEFORE),
    Delete("group-invites", "/api/group-invites?inviteId={sent_invite}", AS_BEFORE),
    Delete("profile-picture", "/api/profile/picture?kind=avatar", AS_BEFORE, before="{picture}"),
    Delete("schedule-feed", "/api/schedule/feed", AS_BEFORE),
]


class Objects(ElsasObjects):
    """Also those that no row of the permission matrix names."""

    def __missing__(self, name: str) -> str:
        makers: dict[str, Callable[[Caller], str]] = {
            "other_session": other_session,
            "friend": self.friend,
            "blocked": blocked,
            "sent_invite": sent_invite,
            "picture": new_picture,
        }
        if name not in makers:
            return super().__missing__(name)
        self[name] = makers[name](self.elsa)
        return self[name]

    def friend(self, elsa: Caller) -> str:
        return "bo.ek" if self["friendship"] else ""


def other_session(elsa: Caller) -> str:
    signed_in()
    rows = elsa.get("/api/sessions").json()["sessions"]
    return str(next(row["id"] for row in rows if not row["current"]))


def blocked(elsa: Caller) -> str:
    signed_in("alva.lind")
    assert elsa.post("/api/blocks", {"targetUsername": "alva.lind"}).status_code == 201
    return "alva.lind"


def sent_invite(elsa: Caller) -> str:
    signed_in("alva.lind")
    group = {"type": "group", "groupName": "Ugglorna", "members": ["alva.lind"]}
    assert elsa.post("/api/conversations", group).status_code == 201
    return str(elsa.get("/api/group-invites").json()["sent"][0]["id"])


def test_every_delete_is_here_but_that_of_the_account() -> None:
    deleting = {route.name for route in every_route() if "DELETE" in route.methods}
    assert deleting == {each.name for each in DELETES} | {"account"}


@pytest.mark.parametrize("delete", DELETES, ids=lambda each: each.path)
def test_the_second_time_it_answers_what_the_contract_says(elsa: Caller, delete: Delete) -> None:
    objects = Objects(elsa)
    fill(delete.before, objects)
    path, body = fill(delete.path, objects), fill(delete.body, objects)
    first = elsa.delete(path, body)
    assert (first.status_code, first.json()) == (200, {"success": True})
    for _ in range(2):
        again = elsa.delete(path, body)
        assert again.status_code == delete.again
        if delete.again == GONE:
            assert again.json()["code"] == "not_found"
        else:
            assert again.json() == {"success": True}
