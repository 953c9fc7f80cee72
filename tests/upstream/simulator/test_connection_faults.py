"""Connection faults: responses that hang, drip, are huge, or break off."""

import time
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator


def test_latency_delays_every_request(simulator: Simulator, client: PlainClient) -> None:
    simulator.faults.latency = 0.08
    began = time.monotonic()
    client.session("")
    assert time.monotonic() - began >= 0.08


def test_a_slow_answer_is_right_but_late(simulator: Simulator, client: PlainClient) -> None:
    cookies = client.sign_in()
    simulator.faults.set("session", "slow", seconds=0.1)
    began = time.monotonic()
    assert client.session(cookies).status_code == 200
    assert time.monotonic() - began >= 0.1


def test_a_timeout_sends_nothing_until_the_faults_are_cleared(
    simulator: Simulator, client: PlainClient
) -> None:
    cookies = client.sign_in()
    simulator.faults.set("session", "timeout")
    hanging = simulator.faults.hanging
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.session, cookies)
        hanging.wait_for(1)
        assert not waiting.done()
        simulator.faults.clear()
        assert waiting.result().status_code == 200


def test_a_client_that_gives_up_leaves_nothing_behind(
    simulator: Simulator, client: PlainClient
) -> None:
    simulator.faults.set("session", "timeout")
    with pytest.raises(requests.Timeout):
        client.get("/bjorkdalen/rest-api/session", timeout=0.1)
    simulator.requests.wait_until_idle()


def test_a_drip_is_sent_byte_by_byte(simulator: Simulator, client: PlainClient) -> None:
    simulator.faults.set("session", "drip", seconds=0.001)
    with client.get("/bjorkdalen/rest-api/session", stream=True) as answer:
        chunks = list(answer.raw.stream(1))
    assert b"".join(chunks) == b'{"error":"Unauthorized"}'


def test_a_drip_stops_when_the_faults_are_cleared(
    simulator: Simulator, client: PlainClient
) -> None:
    simulator.faults.set("session", "drip", seconds=60)
    hanging = simulator.faults.hanging
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(client.session, "")
        hanging.wait_for(1)
        simulator.faults.clear()
        with pytest.raises(requests.RequestException):
            waiting.result()


def test_a_gzip_bomb_is_a_mebibyte_that_unpacks_to_a_gibibyte(
    simulator: Simulator, client: PlainClient
) -> None:
    simulator.faults.set("session", "gzip-bomb")
    with client.get("/bjorkdalen/rest-api/session", stream=True) as answer:
        packed = answer.raw.read(decode_content=False)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert 900_000 < len(packed) < 1_200_000
    claimed = int.from_bytes(packed[-4:], "little")
    assert claimed == 1 << 30
    unpacked = zlib.decompressobj(wbits=31).decompress(packed, 1 << 24)
    assert unpacked == bytes(1 << 24)


def test_a_huge_response_stops_when_the_client_disconnects(
    simulator: Simulator, client: PlainClient
) -> None:
    simulator.faults.set("session", "huge", mebibytes=4096)
    client.get("/bjorkdalen/rest-api/session", stream=True).close()
    simulator.requests.wait_until_idle()


def test_a_reset_gives_no_answer_though_the_work_is_done(
    simulator: Simulator, client: PlainClient
) -> None:
    code = client.authorize().json()["code"]
    simulator.faults.set("login.token", "reset", times=1)
    with pytest.raises(requests.ConnectionError, match="reset"):
        client.exchange(code)
    assert client.exchange(code).status_code == 404


def test_a_cut_ends_the_response_in_the_middle_of_the_body(
    simulator: Simulator, client: PlainClient
) -> None:
    simulator.faults.set("session", "cut")
    with pytest.raises(requests.RequestException, match="IncompleteRead"):
        client.session("")
