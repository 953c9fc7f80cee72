"""Events travel from a request in one process to a socket in another."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from social.models import Conversation
from tests.service_process import ServiceProcess, cookie_header, running
from tests.social.conftest import OpenSocket
from tests.social.factories import group_of
from tests.social.socket_frames import answers_ping, receive
from upstream.simulator.server import Simulator

ELSA, BO, ALVA = "elsa.nordvall", "bo.ek", "alva.lind"


class Site:
    """A process for requests and one for sockets; Elsa is admin of a group with Bo and Alva."""

    def __init__(self, web: ServiceProcess, sockets: ServiceProcess, ready: OpenSocket) -> None:
        self.web = web
        self.cookies = {name: web.sign_in(name) for name in (ELSA, BO, ALVA)}
        self.group: Conversation = group_of(ELSA, BO, ALVA)
        self.sockets: dict[str, ClientConnection] = {
            name: ready(sockets.port, headers={"Cookie": cookie_header(cookies)})
            for name, cookies in self.cookies.items()
        }

    def ask(self, name: str, method: str, suffix: str = "", body: Any = None) -> Any:
        """The body of a successful response about the group."""
        path = f"/api/conversations/{self.group.pk.hex}{suffix}"
        status, answer, _ = self.web.request(method, path, body, cookies=self.cookies[name])
        assert status in (200, 201), answer
        return answer

    def say(self, name: str, text: str) -> dict[str, Any]:
        message: dict[str, Any] = self.ask(name, "POST", "/messages", {"content": text})["message"]
        return message


@pytest.fixture
def site(
    shared_redis: str,
    simulator: Simulator,
    transactional_db: None,
    tmp_path: Path,
    ready_socket: OpenSocket,
) -> Iterator[Site]:
    with ExitStack() as stack:
        web, sockets = (
            stack.enter_context(running(tmp_path, simulator.url, kind=kind, REDIS_URL=shared_redis))
            for kind in ("http", "sockets")
        )
        yield Site(web, sockets, ready_socket)


def test_a_message_and_its_changes_reach_sockets_of_another_process(site: Site) -> None:
    message = site.say(ELSA, "Hej")
    for connection in site.sockets.values():
        assert receive(connection) == {
            "type": "message.created",
            "conversationId": site.group.pk.hex,
            "revision": message["revision"],
            "message": message,
        }
    suffix = f"/{message['id']}"
    edited = site.ask(ELSA, "PATCH", suffix, {"action": "edit", "content": "Hej igen"})["message"]
    site.ask(ELSA, "DELETE", suffix)
    for connection in site.sockets.values():
        heard = receive(connection)
        assert (heard["type"], heard["message"]) == ("message.updated", edited)
        heard = receive(connection)
        assert (heard["type"], heard["message"]["content"]) == ("message.deleted", "")


def test_a_removed_member_receives_the_removal_and_nothing_after_it(site: Site) -> None:
    elsa, bo, alva = (site.sockets[name] for name in (ELSA, BO, ALVA))
    site.ask(ELSA, "PATCH", body={"action": "remove_member", "targetUsername": ALVA})
    site.say(BO, "Nu är hon borta")
    site.ask(ELSA, "PATCH", body={"action": "rename", "groupName": "Två ugglor"})

    heard = [receive(elsa) for _ in range(3)]
    assert [frame["type"] for frame in heard] == [
        "conversation.updated",
        "message.created",
        "conversation.updated",
    ]
    assert heard[0]["conversation"]["participants"] == [ELSA, BO]
    gone = {"type": "conversation.removed", "conversationId": site.group.pk.hex}
    assert receive(alva) == gone
    bo.send(json.dumps({"type": "typing", "conversationId": site.group.pk.hex}))
    assert receive(elsa)["type"] == "typing"
    # Elsa has received everything sent since; Alva has not.
    assert answers_ping(alva)
