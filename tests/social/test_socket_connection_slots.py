"""Five sockets per account: the sixth closes the oldest."""

from concurrent.futures import ThreadPoolExecutor

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from social.realtime.connection_slots import ConnectionSlot
from tests.social.channel_queues import only_these_are_left, queues, wait_for_a_new_queue
from tests.social.conftest import OpenSocket, SignIn
from tests.social.socket_frames import answers_ping, close_code, receive_ready


def test_the_sixth_socket_closes_the_oldest_with_4409(
    port: int, sign_in: SignIn, ready_socket: OpenSocket
) -> None:
    caller = sign_in()
    sockets = [ready_socket(port, caller) for _ in range(5)]
    assert all(answers_ping(connection) for connection in sockets)
    sixth = ready_socket(port, caller)
    assert close_code(sockets[0], within=2) == 4409
    assert all(answers_ping(connection) for connection in [*sockets[1:], sixth])
    ready_socket(port, caller)
    assert close_code(sockets[1], within=2) == 4409
    assert answers_ping(sockets[2])


def test_all_sessions_of_an_account_count_together(
    port: int, sign_in: SignIn, ready_socket: OpenSocket
) -> None:
    callers = [sign_in() for _ in range(3)]
    sockets = [ready_socket(port, caller) for caller in callers * 2]
    assert close_code(sockets[0], within=2) == 4409
    assert answers_ping(sockets[1])


def test_a_socket_that_was_closed_does_not_count(
    port: int, sign_in: SignIn, ready_socket: OpenSocket
) -> None:
    caller = sign_in()
    before = queues()
    first = ready_socket(port, caller)
    before |= wait_for_a_new_queue(before)
    for _ in range(8):
        another = ready_socket(port, caller)
        another.close()
        assert only_these_are_left(before)
    assert answers_ping(first)


def test_other_accounts_do_not_count(port: int, sign_in: SignIn, ready_socket: OpenSocket) -> None:
    mine = ready_socket(port, sign_in())
    other = sign_in("alva.lind")
    for _ in range(5):
        ready_socket(port, other)
    assert answers_ping(mine)


def test_six_that_open_together_leave_five(
    port: int, sign_in: SignIn, open_socket: OpenSocket
) -> None:
    caller = sign_in()
    with ThreadPoolExecutor(6) as threads:
        sockets = list(threads.map(lambda _: open_socket(port, caller), range(6)))
        for connection in sockets:
            receive_ready(connection)
        assert sorted(threads.map(fate, sockets)) == ["4409", *["open"] * 5]


def fate(connection: ClientConnection, *, within: float = 1.5) -> str:
    """The code that the server closes with, or "open" if it does not."""
    try:
        connection.recv(timeout=within)
    except TimeoutError:
        return "open"
    except ConnectionClosed as closed:
        return str(closed.rcvd.code if closed.rcvd else "cut")
    return "heard something"


def test_the_end_of_a_socket_may_arrive_before_its_beginning() -> None:
    oldest = ConnectionSlot(allowed=2, opened_ns=1)
    for opened_ns in range(2, 6):
        brief = ConnectionSlot(allowed=2, opened_ns=opened_ns)
        oldest.register_closed(brief.closed())
        assert not oldest.register_opened(brief.opened())
    for opened_ns, too_many in ((6, False), (7, True)):
        lasting = ConnectionSlot(allowed=2, opened_ns=opened_ns)
        assert oldest.register_opened(lasting.opened()) is too_many
