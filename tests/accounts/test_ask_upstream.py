"""Calls to upstream for one request."""

from accounts.models import Account
from accounts.services.identity import ask_upstream, with_account_session
from tests.conftest import Caller
from upstream.records import WebSession
from upstream.shared_client import client


def test_all_its_calls_have_one_deadline(elsa: Caller) -> None:
    def two_calls(web: WebSession) -> tuple[float, float]:
        return client().deadline(), client().deadline()

    first, second = with_account_session(
        Account.objects.get().pk, lambda caller: ask_upstream(caller, two_calls)
    )

    assert first == second
    assert client().deadline() != client().deadline()
