"""Sockets: what it costs to open and to hold one, and how soon a message is there."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks.driver import exchange, percentile
from benchmarks.processes import CORES, CouldNotRun
from benchmarks.site import Server, Site
from benchmarks.users import User, direct_messages, log_in, send_request

SOCKETS = 200
PAIRS = 20
TURNS, GAP = range(12), 0.02  # 12 messages of each pair, together 50 a second
ARRIVAL_SECONDS = 30.0


def sockets(site: Site, rounds: int) -> list[Callable[[], dict[str, float]]]:
    """Each round opens 200 sockets, and sends 50 messages a second to twenty of them."""
    users = log_in(site, SOCKETS)
    conversations = direct_messages(site, users[: 2 * PAIRS])

    def go() -> dict[str, float]:
        # Validates the sessions, so that opening a socket asks upstream nothing.
        site.replay([user.session() for user in users])
        with site.server("sockets", [CORES[0]]) as server:
            return asyncio.run(_round(site, server, users, conversations))

    return [go] * rounds


async def _round(
    site: Site, server: Server, users: Sequence[User], conversations: Sequence[tuple[User, str]]
) -> dict[str, float]:
    async with AsyncExitStack() as stack:
        await _open(server, users[-1:], stack)  # the first one imports
        cpu, memory = server.cpu(), server.memory()
        opened = await _open(server, users, stack)
        cpu, memory = server.cpu() - cpu, server.memory() - memory
        receivers = opened[1 : 2 * PAIRS : 2]
        delivering = server.cpu()
        latencies = await _deliver(site, conversations, receivers)
        # Sender and receiver have a socket each.
        delivering = (server.cpu() - delivering) / (2 * len(latencies))
        beating = server.cpu()
        await asyncio.gather(*map(_beat, opened))
        beating = (server.cpu() - beating) / len(users)
    return {
        "opening, CPU ms": cpu / len(users) * 1000,
        "memory KiB": memory / len(users),
        "delivery, CPU ms": delivering * 1000,
        "heartbeat, CPU ms": beating * 1000,
        "delivery p50 ms": percentile(latencies, 0.5) * 1000,
        "delivery p99 ms": percentile(latencies, 0.99) * 1000,
    }


async def _open(
    server: Server, users: Sequence[User], stack: AsyncExitStack
) -> list[ClientConnection]:
    """A socket for each of these people, in their order."""
    turns = asyncio.Semaphore(20)

    async def one(user: User) -> ClientConnection:
        async with turns:
            connection = await stack.enter_async_context(
                connect(
                    f"ws://127.0.0.1:{server.port}/ws",
                    additional_headers={"Cookie": user.cookie},
                    proxy=None,
                    ping_interval=None,
                )
            )
            frame = orjson.loads(await connection.recv())
            if frame["type"] != "ready":
                raise CouldNotRun(f"a socket received {frame}")
            return connection

    return await asyncio.gather(*map(one, users))


async def _beat(connection: ClientConnection) -> None:
    """A heartbeat, until it was taken."""
    await connection.send('{"type": "presence", "status": "online"}')
    await connection.send('{"type": "ping"}')
    while orjson.loads(await connection.recv())["type"] != "pong":
        pass


@dataclass(frozen=True)
class _Pair:
    """A writer, who sends a message once in `PAIRS` gaps, and the socket of the one who reads."""

    port: int
    user: User
    conversation: str
    receiver: ClientConnection
    first_due: float

    def due(self, turn: int) -> float:
        """When a message is sent, by `time.perf_counter`."""
        return self.first_due + turn * PAIRS * GAP

    async def write(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        with closing(writer):
            for turn in TURNS:
                await asyncio.sleep(self.due(turn) - time.perf_counter())
                client_id = f"{self.first_due}-{turn}"
                request = send_request(self.user, self.conversation, client_id)
                await exchange(reader, writer, request)

    async def hear(self) -> list[float]:
        """Seconds from when each message was due until it was here."""
        latencies: list[float] = []
        while len(latencies) < len(TURNS):
            frame = orjson.loads(await self.receiver.recv())
            if frame["type"] == "message.created":
                latencies.append(time.perf_counter() - self.due(len(latencies)))
        return latencies


async def _deliver(
    site: Site, conversations: Sequence[tuple[User, str]], receivers: Sequence[ClientConnection]
) -> list[float]:
    """The latencies of all messages, the smallest first."""
    began, port = time.perf_counter() + GAP, site.web[0].port
    pairs = [
        _Pair(port, user, conversation, receivers[at], began + at * GAP)
        for at, (user, conversation) in enumerate(conversations)
    ]
    works = [*(pair.hear() for pair in pairs), *(pair.write() for pair in pairs)]
    try:
        async with asyncio.timeout(len(TURNS) * PAIRS * GAP + ARRIVAL_SECONDS):
            heard = await asyncio.gather(*works)
    except (TimeoutError, OSError, EOFError, WebSocketException) as error:
        raise CouldNotRun(f"not every message was sent and heard: {error!r}") from error
    return sorted(latency for latencies in heard for latency in latencies or ())
