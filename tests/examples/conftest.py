"""The service on a real port, a connection to it that can be cut, and somebody to talk with."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker
from websockets.sync.client import connect

from tests.examples.wire import Wire, wire_to
from tests.service_process import ServiceProcess, shared
from upstream.simulator.server import Simulator


@pytest.fixture(scope="package")
def server(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    simulator_server: Simulator,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ServiceProcess]:
    folder = tmp_path_factory.mktemp("server")
    redirects = {"LOGIN_REDIRECTS": "http://127.0.0.1/signed-in"}
    with shared(folder, simulator_server.url, django_db_blocker, **redirects) as server:
        yield server


@pytest.fixture
def service(server: ServiceProcess, simulator: Simulator, transactional_db: None) -> ServiceProcess:
    """HTTP and WebSocket on one port. It asks the school at every request who is signed in."""
    simulator.state.settings.refresh_tokens = True
    return server


@pytest.fixture
def wire(service: ServiceProcess) -> Iterator[Wire]:
    with wire_to(service.url) as wire:
        yield wire


class Person:
    """Somebody who has signed in with another client."""

    def __init__(self, service: ServiceProcess, username: str) -> None:
        self._service = service
        self._cookies: dict[str, str] = {}
        password = f"{username.partition('.')[0]}-demo"
        body = {"username": username, "password": password, "school": "bjorkdalen"}
        self._ask("POST", "/api/login", body)

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self._service.request(method, path, body, cookies=self._cookies)
        status, found, cookies = answer
        assert status in (200, 201), found
        self._cookies |= cookies
        return found

    def talk_with(self, username: str) -> None:
        found = self._ask("POST", "/api/conversations", {"targetUsername": username})
        self._conversation = f"/api/conversations/{found['conversation']['id']}"

    def say(self, text: str) -> str:
        """The id of the new message."""
        found = self._ask("POST", f"{self._conversation}/messages", {"content": text})
        return str(found["message"]["id"])

    def edit(self, message_id: str, text: str) -> None:
        body = {"action": "edit", "content": text}
        self._ask("PATCH", f"{self._conversation}/{message_id}", body)

    def renew(self) -> None:
        self._ask("POST", "/api/refresh")

    def schedule(self, week: int) -> list[dict[str, Any]]:
        lessons: list[dict[str, Any]] = self._ask("GET", f"/api/schedule?week={week}")["schedule"]
        return lessons

    def texts(self) -> list[str]:
        """All messages, oldest first."""
        found = self._ask("GET", self._conversation)
        return [message["content"] for message in found["messages"]]

    @contextmanager
    def listening(self) -> Iterator[Callable[[str], Any]]:
        """Their socket for the length of the block: a function that waits for a type of event."""
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        address = self._service.url.replace("http", "ws", 1) + "/ws"
        with connect(address, additional_headers={"Cookie": cookies}, proxy=None) as socket:

            def wait_for(kind: str) -> Any:
                while (event := json.loads(socket.recv(timeout=60)))["type"] != kind:
                    pass
                return event

            wait_for("ready")
            yield wait_for


@pytest.fixture
def elsa(service: ServiceProcess) -> Person:
    """Who uses the example."""
    return Person(service, "elsa.nordvall")


@pytest.fixture
def bo(service: ServiceProcess) -> Person:
    """The other person of the conversation."""
    return Person(service, "bo.ek")
