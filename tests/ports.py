"""Ports for servers that a test starts as processes of their own."""

import itertools
import os
import socket

# Below the ports that the kernel gives out by itself, and others for each worker of the suite: a
# port that is only looked for can be taken by somebody else before the server listens on it.
_FIRST, _OF_A_WORKER = 12_000, 1_000
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 20
_numbers = itertools.cycle(range(_OF_A_WORKER))


def free_port() -> int:
    """A loopback port that nothing listens on, and that no other test gets."""
    for number in _numbers:
        port = _FIRST + _worker * _OF_A_WORKER + number
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise AssertionError("unreachable")
