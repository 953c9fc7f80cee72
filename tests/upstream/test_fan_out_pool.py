"""The pool of threads behind the fan-outs, when all of it is busy."""

import threading
from functools import partial

from tests.upstream.conftest import MakeClient
from upstream.errors import UpstreamTimeout
from upstream.fan_out import gather


def test_a_call_that_waited_in_the_pool_too_long_is_not_made(make_client: MakeClient) -> None:
    patient = make_client("http://127.0.0.1:9", max_in_flight=1)
    hasty = make_client("http://127.0.0.1:9", max_in_flight=1, total_seconds=0.05)
    release, made = threading.Event(), threading.Event()
    inside = threading.Barrier(5)

    def hang() -> None:
        inside.wait(5)
        release.wait(5)

    # A pool holds the calls of four schools that have all in flight that they may.
    schools = [
        threading.Thread(target=partial(gather, patient, f"school{n}", [hang])) for n in range(4)
    ]
    for school in schools:
        school.start()
    inside.wait(5)
    [answer] = gather(hasty, "fifth", [made.set])
    assert isinstance(answer, UpstreamTimeout)
    release.set()
    for school in schools:
        school.join(5)
    # Whatever stood in line before this has had its turn.
    assert gather(patient, "fifth", [lambda: "served"]) == ["served"]
    assert not made.is_set()
