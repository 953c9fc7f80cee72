"""What opening a socket costs two services, in turns."""

import statistics
from collections.abc import Iterator
from contextlib import ExitStack

from benchmarks.bench import Bench
from benchmarks.closed_loop import Request
from benchmarks.socket_clients import SocketClients

SOCKETS = 200


def compare_opening(pair: tuple[Bench, Bench], rounds: int) -> Iterator[str]:
    """The cells of a table: CPU of each to open a socket, in ms, and the ratios of the second to
    the first. Each opens `SOCKETS` a round. A request before that refreshes every session, so that
    opening a socket asks upstream nothing."""
    cookies = [[user.cookie for user in bench.users(SOCKETS)] for bench in pair]
    found: tuple[list[float], list[float]] = ([], [])
    with ExitStack() as stack:
        servers = [stack.enter_context(bench.service.for_sockets()) for bench in pair]
        for number in range(-1, rounds):
            for which in (0, 1) if number % 2 else (1, 0):
                checked = [Request("/api/session", cookie=each) for each in cookies[which]]
                pair[which].replay(checked, connections=8)
                before = servers[which].cpu()
                with SocketClients(servers[which].port, cookies[which]):
                    used = servers[which].cpu() - before
                if number >= 0:  # the first one warms up
                    found[which].append(used * 1000 / SOCKETS)
    ratios = [this / other for other, this in zip(*found, strict=True)]
    for each in found:
        yield f"{statistics.median(each):.2f} ms"
    yield f"{statistics.median(ratios):.3f} ({min(ratios):.2f} to {max(ratios):.2f})"
