"""A copy of the database signs in nowhere: sessions are found by a hash, second factors are
encrypted."""

from datetime import timedelta

import pytest
import time_machine
from cryptography.fernet import Fernet
from django.conf import settings as django_settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp
from pytest_django.fixtures import Settings

from staff.models import StaffDevice
from staff.services.members import enrol_staff, set_roles
from staff.sessions import SessionStore
from tests.staff.conftest import sign_in, token_of

COOKIE = "staff_session"


@pytest.fixture
def stored(db: None) -> SessionStore:
    """A session with data."""
    store = SessionStore()
    store["seen"] = 1
    store.create()
    return store


@pytest.fixture
def device(db: None) -> StaffDevice:
    """The second factor of Moa, who has not signed in."""
    set_roles()
    enrol_staff(username="moa", role="moderator")
    created: StaffDevice = StaffDevice.objects.get()
    return created


def _code(device: StaffDevice, steps: int = 0) -> str:
    return f"{totp(device.bin_key, drift=steps):06d}"


def _with_cookie(value: str) -> int:
    client = Client()
    client.cookies[COOKIE] = value
    status: int = client.get("/admin/").status_code
    return status


def test_signing_in_gives_a_new_key_and_signing_out_deletes_it(stored: SessionStore) -> None:
    set_roles()
    enrolled = enrol_staff(username="moa", role="moderator")
    client = Client()
    client.cookies[COOKIE] = planted = stored.session_key or ""
    assert sign_in(client, "moa", enrolled.password, token_of("moa")).status_code == 302
    cookie = client.cookies[COOKIE].value
    assert cookie != planted
    assert _with_cookie(planted) == 302
    assert _with_cookie(cookie) == 200
    assert client.post("/admin/logout/").status_code == 200
    assert _with_cookie(cookie) == 302
    assert not Session.objects.exists()


def test_the_store_changes_its_key_and_keeps_the_data(stored: SessionStore) -> None:
    first = stored.session_key or ""
    assert SessionStore().exists(first)
    stored.cycle_key()
    assert not SessionStore().exists(first)
    assert SessionStore(stored.session_key)["seen"] == 1
    stored["seen"] = 2
    stored.save()
    assert SessionStore(stored.session_key)["seen"] == 2
    stored.flush()
    assert not Session.objects.exists()


def test_expired_sessions_are_not_found_and_are_deleted(stored: SessionStore) -> None:
    later = timezone.now() + timedelta(seconds=django_settings.SESSION_COOKIE_AGE + 1)
    with time_machine.travel(later):
        assert SessionStore(stored.session_key).get("seen") is None
        SessionStore.clear_expired()
    assert not Session.objects.exists()


def test_without_the_key_nobody_signs_in_and_a_reset_helps(db: None, settings: Settings) -> None:
    set_roles()
    enrolled = enrol_staff(username="moa", role="moderator")
    token = token_of("moa")
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    assert sign_in(Client(), "moa", enrolled.password, token).status_code != 302
    again = enrol_staff(username="moa", reset=True)
    assert sign_in(Client(), "moa", again.password, token_of("moa")).status_code == 302


@pytest.mark.parametrize(("steps", "accepted"), [(-1, True), (0, True), (1, True), (2, False)])
def test_a_clock_may_differ_by_one_step(steps: int, accepted: bool, device: StaffDevice) -> None:
    assert device.verify_token(_code(device, steps)) is accepted
    assert StaffDevice.objects.get().drift == (steps if accepted else 0)


@pytest.mark.parametrize(
    "code", ["", "12345", "1234567", "abcdef", "-12345", "１２３４５６", " " * 6]
)
def test_what_is_no_code_is_refused(code: str, device: StaffDevice) -> None:
    assert not device.verify_token(code)


def test_wrong_codes_delay_the_next_try(device: StaffDevice) -> None:
    assert not device.verify_token("000000")
    assert not device.verify_token(_code(device))
    with time_machine.travel(timezone.now() + timedelta(seconds=2)):
        assert device.verify_token(_code(device))
