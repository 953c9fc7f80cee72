"""Transactions in turn."""

from threading import Event
from typing import Any

import pytest
from django.db import connection

from accounts.database import transaction_in_turn
from accounts.models import Account
from tests.concurrency import crowd

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has several writers")
def test_a_writer_waits_for_its_turn_and_not_for_sqlite() -> None:
    arrives = Event()
    statements: list[str] = []

    def record(execute: Any, sql: str, *args: Any) -> Any:
        statements.append(sql)
        return execute(sql, *args)

    def write() -> None:
        with connection.execute_wrapper(record):
            arrives.set()
            with transaction_in_turn():
                Account.objects.create(school="s", upstream_user_id=1, username="u")

    with crowd(1) as start, transaction_in_turn():
        start(write)
        assert arrives.wait(10)
        Event().wait(0.2)  # long enough for a statement that nothing holds back
        assert statements == []
    assert statements[0].startswith("BEGIN")
    assert Account.objects.count() == 1


def test_the_next_one_has_its_turn_after_an_error() -> None:
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), transaction_in_turn():
            Account.objects.create(school="s", upstream_user_id=1, username="u")
            _ = 1 / 0
    assert not Account.objects.exists()
