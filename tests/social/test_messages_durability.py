"""A send that was answered is committed."""

import threading

import pytest
from django.db import connection, transaction

from social.models import Message
from tests.concurrency import crowd
from tests.conftest import Caller
from tests.social.factories import group_of
from tests.social.message_requests import Json, sent


def test_a_message_is_committed_when_the_send_is_answered(
    transactional_db: None, elsa: Caller
) -> None:
    group = group_of("elsa.nordvall")
    message = sent(elsa, group)
    with crowd(1) as start:
        kept = start(lambda: list(Message.objects.values_list("seq", flat=True)))
    assert kept.result(10) == [message["seq"]]
    assert connection.in_atomic_block is False


def test_a_send_waits_for_the_lock_and_takes_the_next_number(
    transactional_db: None, elsa: Caller
) -> None:
    group = group_of("elsa.nordvall")
    sent(elsa, group)
    began = threading.Event()

    def send() -> Json:
        began.set()
        return sent(elsa.twin(), group, "Två")

    with crowd(1) as start:
        with transaction.atomic():
            group = type(group).objects.select_for_update().get()
            group.last_seq, group.revision = 5, 9
            group.save()
            sending = start(send)
            assert began.wait(10)
        message = sending.result(30)
    assert (message["seq"], message["revision"]) == (6, 10)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's commits are synchronous")
@pytest.mark.django_db
def test_a_commit_of_sqlite_is_on_the_disk_before_it_is_acknowledged() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous")
        assert cursor.fetchone() == (2,), "FULL"
