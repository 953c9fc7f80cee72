"""What a person meets whose session was encrypted with a key that is gone."""

import base64

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from accounts.models import ServiceSession
from tests.conftest import Caller


@pytest.fixture
def lost_key(elsa: Caller, settings: Settings) -> Caller:
    """Elsa, signed in before the operator lost the key."""
    settings.FIELD_ENCRYPTION_KEYS = [base64.urlsafe_b64encode(b"n" * 32).decode()]
    return elsa


def test_the_session_goes_on_while_upstream_confirms_its_cookies(lost_key: Caller) -> None:
    assert lost_key.get("/api/schedule").status_code == 200


@pytest.mark.parametrize("path", ["/api/token", "/api/refresh", "/api/v2/token-refresh"])
def test_what_needs_the_token_asks_to_sign_in_again(lost_key: Caller, path: str) -> None:
    answer = lost_key.post(path)

    assert answer.status_code == 401
    assert answer.json()["code"] == "not_signed_in"


def test_logout_works_all_the_same(lost_key: Caller) -> None:
    assert lost_key.post("/api/logout").status_code == 200
    assert not ServiceSession.objects.exists()
    assert lost_key.get("/api/session").status_code == 401


def test_a_purge_keeps_the_record_and_says_so(
    lost_key: Caller, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("purge_expired")

    assert "1 can be read with no key" in capsys.readouterr().err
    assert ServiceSession.objects.count() == 1
