from typing import Any
from uuid import uuid4

import orjson
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.encryption import SecretTextField, SecretUnreadable
from accounts.models import Account

# `none`: it is not pushed. `due`: jobs push it, one for each subscription, or have pushed it.
# `held`: it waits for the end of quiet hours. `done`: it was counted in the push after them.
PUSH_STATES = ("none", "due", "held", "done")


class Notification(models.Model):
    """Something that a person is told.

    `about` is what several events of one kind are told about together, such as the id of a
    conversation: at most one unread notification of an account has it. `details` are values of the
    kind as JSON, which has no texts of other people in them: those are read when it is shown.
    `pushed_at` is when its last pushes were enqueued; with `pushes_again`, a job waits that pushes
    it once more.
    """

    id = models.UUIDField(primary_key=True, default=uuid4)
    account = models.ForeignKey(
        Account, verbose_name=_("account"), on_delete=models.CASCADE, related_name="notifications"
    )
    kind = models.CharField(_("kind"), max_length=10)
    about = models.CharField(max_length=64, blank=True)
    details = SecretTextField(bound_to="account_id", in_bytes=True, null=True)
    created_at = models.DateTimeField(_("created at"), default=timezone.now)
    read_at = models.DateTimeField(null=True)
    push = models.CharField(
        max_length=4, default="none", choices=[(state, state) for state in PUSH_STATES]
    )
    pushed_at = models.DateTimeField(null=True)
    pushes_again = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        indexes = [
            models.Index(fields=["account", "-created_at", "-id"], name="notifications_newest"),
            models.Index(
                "account",
                name="notifications_held",
                condition=Q(push="held"),
            ),
        ]
        constraints = [
            # `about` first: a send asks who has an unread one about the conversation.
            models.UniqueConstraint(
                "about",
                "account",
                "kind",
                condition=Q(read_at=None) & ~Q(about=""),
                name="notification_about_unread_once",
            ),
            models.CheckConstraint(
                condition=Q(push__in=PUSH_STATES), name="notification_push_is_known"
            ),
        ]

    def set_details(self, values: dict[str, Any]) -> None:
        self.details = orjson.dumps(values).decode() if values else None

    def read_details(self) -> dict[str, Any] | None:
        """The values; None when no key opens them."""
        try:
            return {} if self.details is None else orjson.loads(self.details)
        except SecretUnreadable:
            return None
