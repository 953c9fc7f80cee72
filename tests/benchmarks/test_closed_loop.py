"""The closed loop detects every wrong answer."""

import shutil

import pytest

from benchmarks.closed_loop import CouldNotRun, Request, replay
from benchmarks.fake_upstream.server import FakeUpstream
from benchmarks.users import User

pytestmark = pytest.mark.skipif(shutil.which("wrk") is None, reason="wrk is not installed")


def weeks_of(*numbers: int) -> list[Request]:
    return [User(number, "").lessons_upstream(5) for number in numbers]


def test_it_sends_each_request_once(fake: FakeUpstream) -> None:
    before = fake.calls().get("lessons", 0)
    run = replay(fake.port, weeks_of(*range(50)))
    assert run.count == 50
    assert 0 < run.p50 <= run.p99
    # wrk sends a few more while it is being stopped.
    assert 50 <= fake.calls()["lessons"] - before <= 52


def test_it_refuses_an_answer_meant_for_another_account(fake: FakeUpstream) -> None:
    own, other = weeks_of(1, 2)
    wrong = Request(own.path, cookie=other.cookie, expect=own.expect)
    with pytest.raises(CouldNotRun, match="1 of 3 answers were wrong"):
        replay(fake.port, [*weeks_of(3), wrong, *weeks_of(4)])


def test_it_refuses_an_error_over_many_connections(fake: FakeUpstream) -> None:
    with pytest.raises(CouldNotRun, match="404"):
        # In the middle: with several connections the last one may still be out at the end.
        wanted = [*weeks_of(*range(10)), Request("/nowhere"), *weeks_of(*range(10, 20))]
        replay(fake.port, wanted, connections=4)


def test_it_raises_when_nobody_listens(fake: FakeUpstream) -> None:
    with pytest.raises(CouldNotRun):
        replay(1, weeks_of(1), timeout=3)
