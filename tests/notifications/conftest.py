"""People who know each other, for tests of what they are told, and a push service."""

from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from notifications.push import client
from tests.conftest import Caller, signed_in
from tests.notifications.actions import SETTINGS, SUBSCRIPTIONS
from tests.notifications.certificates import Certificates, make_certificates
from tests.notifications.push_service import PushService, running
from tests.social_actions import befriend, dm_of


@pytest.fixture
def bo(elsa: Caller) -> Caller:
    """A friend of Elsa's, signed in."""
    caller = signed_in("bo.ek")
    befriend(elsa, caller, ("elsa.nordvall", "bo.ek"))
    for one in (elsa, caller):
        one.post("/api/notifications/read", {"all": True})
    return caller


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("push"))


@pytest.fixture
def push_service(certificates: Certificates, settings: Settings) -> Iterator[PushService]:
    """A push service that the operator has listed, with its authority."""
    with running(certificates) as service:
        settings.SSL_CERT_FILE = str(certificates.authority)
        settings.PUSH_HOSTS = [f"+{service.url.removeprefix('https://')}"]
        client._tls.cache_clear()
        yield service
    client._tls.cache_clear()


@pytest.fixture
def phone(bo: Caller, push_service: PushService) -> str:
    """The id of the subscription of Bo, who has no quiet hours and chose nothing else."""
    answer = bo.post(SUBSCRIPTIONS, push_service.new_subscription())
    assert answer.status_code == 201, answer.content
    assert bo.patch(SETTINGS, {"quietHours": None}).status_code == 200
    return str(answer.json()["subscription"]["id"])


@pytest.fixture
def dm(elsa: Caller, phone: str) -> str:
    return dm_of(elsa, "bo.ek")
