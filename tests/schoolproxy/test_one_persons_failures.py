"""What fails for one person closes their school to nobody else."""

import pytest
from pytest_django.fixtures import Settings

from accounts.single_flight import _waiting
from tests.concurrency import crowd, wait_until
from tests.conftest import ELSA, Caller, signed_in
from upstream.shared_client import client
from upstream.simulator.server import Simulator

LESSONS = "/api/schedule?week=12"
NEWS = "/api/news"
FAULTS = ("500", "503", "cut")


@pytest.fixture(autouse=True)
def unlimited(settings: Settings) -> None:
    settings.RATE_LIMITS = False


def is_open(school: str = "bjorkdalen") -> bool:
    return client().guards.of(school).circuit_open


def code_of(answer: object) -> str:
    return answer.json()["code"]  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("fault", FAULTS)
def test_the_others_are_served_while_everything_fails_for_one(
    elsa: Caller, bo: Caller, simulator: Simulator, fault: str
) -> None:
    simulator.faults.set("lessons", fault)
    for week in range(1, 21):
        assert elsa.get(f"/api/schedule?week={week}").status_code == 503
    assert bo.get(NEWS).status_code == 200
    assert elsa.get(NEWS).status_code == 200
    assert not is_open()


def test_someone_with_many_sessions_is_one_person(
    elsa: Caller, bo: Caller, simulator: Simulator
) -> None:
    sessions = [elsa, *(signed_in() for _ in range(4))]
    simulator.faults.set("lessons", "500")
    for session in sessions:
        assert session.get(LESSONS).status_code == 503
    assert bo.get(LESSONS).status_code == 503
    assert not is_open()


def test_failures_of_three_people_close_the_school_to_everybody(
    elsa: Caller, bo: Caller, zoe: Caller, simulator: Simulator
) -> None:
    alva, omer = signed_in("alva.lind"), signed_in("ömer.sjölin")
    simulator.faults.set("lessons", "500", school="bjorkdalen")
    for pupil in (elsa, bo):
        assert pupil.get(LESSONS).status_code == 503
    assert not is_open()
    assert alva.get(LESSONS).status_code == 503

    calls = simulator.requests.count("lessons")
    refused = omer.get(LESSONS)
    assert (refused.status_code, code_of(refused)) == (503, "circuit_open")
    assert 1 <= int(refused.headers["Retry-After"]) <= 10
    assert simulator.requests.count("lessons") == calls
    assert zoe.get(LESSONS).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_who_waits_for_anothers_lunch_does_not_get_their_failure(
    elsa: Caller, bo: Caller, simulator: Simulator
) -> None:
    simulator.faults.set("lunch", "500", times=1)
    with crowd(2) as start, simulator.faults.hold("lunch") as held:
        failing = start(lambda: elsa.get("/api/lunch"))
        held.wait_for(1)
        waiting = start(lambda: bo.get("/api/lunch"))
        wait_until(lambda: sum(_waiting.values()) == 1)
        held.release()
        assert failing.result(60).status_code == 503
        assert waiting.result(60).status_code == 200


# --- Those who have not signed in ---


def login(address: str) -> int:
    return int(Caller(REMOTE_ADDR=address).post("/api/login", ELSA).status_code)


def test_logins_from_one_address_are_one_person(caller: Caller, simulator: Simulator) -> None:
    simulator.faults.set("login.password", "503")
    for number in range(12):
        assert login(f"2001:db8:1:2::{number:x}") == 503
    assert not is_open()
    simulator.faults.clear()
    assert login("192.0.2.1") == 200


def test_logins_from_three_addresses_are_three_people(caller: Caller, simulator: Simulator) -> None:
    simulator.faults.set("login.password", "503")
    for number in (1, 2):
        assert login(f"192.0.2.{number}") == 503
        assert not is_open()
    login("192.0.2.3")
    assert is_open()


def test_what_a_stranger_may_have_caused_counts_for_nobody(
    caller: Caller, simulator: Simulator
) -> None:
    for operation, fault in (
        ("login.password", "500"),
        ("login.password", "429"),
        ("login.token", "500"),
    ):
        simulator.faults.clear()
        simulator.faults.set(operation, fault)
        for number in range(6):
            assert login(f"192.0.2.{number}") == 503
        assert not is_open()


def unknown_pair(number: int, address: str) -> int:
    stranger = Caller(REMOTE_ADDR=address)
    for name, value in {
        "jsessionid": f"{number:032x}",
        "hash": f"{number:012x}",
        "usertype": "1",
        "school": "bjorkdalen",
    }.items():
        stranger.set_cookie(name, value)
    return int(stranger.get("/api/session").status_code)


def test_unknown_cookies_from_one_address_are_one_person(
    elsa: Caller, simulator: Simulator
) -> None:
    simulator.faults.set("session", "503")
    for number in range(12):
        assert unknown_pair(number, "192.0.2.1") == 503
    assert not is_open()
    for number in range(2):
        unknown_pair(100 + number, f"192.0.2.{number + 2}")
    assert is_open()
