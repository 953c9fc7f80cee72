"""Looking at the school for people who are away, and what was found."""

from typing import Any
from uuid import uuid4

import orjson
from django.db import models
from django.utils import timezone

from accounts.encryption import SecretTextField, SecretUnreadable
from accounts.models import Account

OK, WAITING, SIGN_IN_AGAIN = "ok", "waiting_for_school", "sign_in_again"
STATUSES = (OK, WAITING, SIGN_IN_AGAIN)


class Watch(models.Model):
    """The watch of one account about itself, or of a guardian about one child.

    `child_id` is 0 for the account itself; a guardian's row with 0 finds the children. `state` is
    what was seen (`services.watch.state`), and dropped with the last login. `version` counts its
    writes: of two workers that read the same state, one gives up. `next_look_at` is when a look is
    due, `confirms` whether that look confirms a change, and `claimed_until` how long a worker has
    the row.
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="watches")
    child_id = models.BigIntegerField(default=0)
    org_id = models.BigIntegerField(null=True)
    since = models.DateTimeField(default=timezone.now)
    status = models.CharField(
        max_length=20, default=OK, choices=[(status, status) for status in STATUSES]
    )
    last_look_at = models.DateTimeField(null=True)
    next_look_at = models.DateTimeField(default=timezone.now)
    confirms = models.BooleanField(default=False)
    claimed_until = models.DateTimeField(null=True)
    version = models.IntegerField(default=0)
    state = SecretTextField(bound_to="whose", in_bytes=True, null=True)
    session_id = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "child_id"], name="one_watch_per_child"),
            models.CheckConstraint(
                condition=models.Q(status__in=STATUSES), name="watch_status_is_known"
            ),
        ]
        indexes = [
            models.Index(fields=["status", "-confirms", "next_look_at"], name="watches_due"),
        ]

    @property
    def whose(self) -> str:
        """The account and the child that it is about."""
        return f"{self.account_id}:{self.child_id}"

    def read_state(self) -> str | None:
        """The state; None when there is none, or no key opens it."""
        try:
            state: str | None = self.state
        except SecretUnreadable:
            return None
        return state


class ScheduleChange(models.Model):
    """A change of a schedule that was told, kept for 30 days. `change` is JSON."""

    id = models.UUIDField(primary_key=True, default=uuid4)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="schedule_changes")
    child_id = models.BigIntegerField(default=0)
    at = models.DateTimeField(db_index=True)
    change = SecretTextField(bound_to="whose", in_bytes=True)

    class Meta:
        indexes = [
            models.Index(fields=["account", "child_id", "at", "id"], name="changes_of_a_child"),
        ]

    def set_change(self, fields: dict[str, Any]) -> None:
        self.change = orjson.dumps(fields).decode()

    def read_change(self) -> dict[str, Any] | None:
        """The change in the words of the API; None when no key opens it."""
        try:
            fields: dict[str, Any] = orjson.loads(self.change)
        except SecretUnreadable:
            return None
        return fields

    @property
    def whose(self) -> str:
        """The account, the child that it is about, and itself."""
        return f"{self.account_id}:{self.child_id}:{self.pk.hex}"
