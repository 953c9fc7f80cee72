"""`manage.py push_held`, which a timer starts every five minutes on every machine."""

from functools import partial

import pytest
from django.core.management import call_command
from django_tasks_db.models import DBTaskResult

from notifications.models import Notification
from tests.concurrency import at_once
from tests.conftest import Caller
from tests.social_actions import say


@pytest.mark.django_db(transaction=True)
def test_two_at_once_push_once(elsa: Caller, dm: str) -> None:
    say(elsa, dm, "Sover du?")
    # Only Bo has no quiet hours: this test runs at night, too.
    bos = Notification.objects.filter(account__username="bo.ek")
    bos.update(push="held")
    DBTaskResult.objects.all().delete()
    at_once([partial(call_command, "push_held")] * 2)
    assert DBTaskResult.objects.get().args_kwargs["args"][1] == 1
    assert not bos.filter(push="held").exists()
