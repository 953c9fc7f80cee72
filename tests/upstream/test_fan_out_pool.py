"""The threads of the fan-outs, when all of them are busy."""

import threading
import time
from functools import partial

from tests.concurrency import crowd
from tests.upstream.conftest import MakeClient
from upstream.deadline import deadline_scope
from upstream.errors import UpstreamTimeout
from upstream.fan_out import gather


def test_a_call_that_waited_too_long_for_a_thread_is_not_made(make_client: MakeClient) -> None:
    client = make_client("http://127.0.0.1:9", max_in_flight=1)
    release, made = threading.Event(), threading.Event()
    started = threading.Barrier(5)

    def hang() -> None:
        started.wait(5)
        release.wait(5)

    # The threads are enough for four schools with as many calls in flight as they may have.
    with crowd(4) as start:
        for number in range(4):
            start(partial(gather, client, f"school{number}", [hang]))
        started.wait(5)
        with deadline_scope(time.monotonic() + 0.05):
            [result] = gather(client, "fifth", [made.set])
        assert isinstance(result, UpstreamTimeout)
        release.set()
    # Everything that was queued before this call has had its turn.
    assert gather(client, "fifth", [lambda: "served"]) == ["served"]
    assert not made.is_set()
