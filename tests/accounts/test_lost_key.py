"""A session that was encrypted with a lost key."""

import base64

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from accounts.models import ServiceSession
from tests.conftest import Caller


@pytest.fixture
def lost_key(elsa: Caller, settings: Settings) -> Caller:
    """Elsa, who signed in before the key was lost."""
    settings.FIELD_ENCRYPTION_KEYS = [base64.urlsafe_b64encode(b"n" * 32).decode()]
    return elsa


def test_the_session_is_valid_while_upstream_accepts_its_cookies(lost_key: Caller) -> None:
    assert lost_key.get("/api/schedule").status_code == 200
    answer = lost_key.get("/api/session")
    assert answer.status_code == 200
    assert answer.json()["expiresAt"] is None  # nobody can say when its token ends
    for path in ("/api/token", "/api/refresh", "/api/v2/token-refresh"):
        answer = lost_key.post(path)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), path


def test_logout_works(lost_key: Caller) -> None:
    assert lost_key.post("/api/logout").status_code == 200
    assert not ServiceSession.objects.exists()
    assert lost_key.get("/api/session").status_code == 401


def test_a_purge_keeps_the_record_and_says_so(
    lost_key: Caller, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("purge_expired")
    assert "1 can be read with no key" in capsys.readouterr().err
    assert ServiceSession.objects.count() == 1
