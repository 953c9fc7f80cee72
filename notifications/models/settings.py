from dataclasses import dataclass
from datetime import time

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Account

DELIVERIES = ("off", "list", "push")


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Times of day in Stockholm between which nothing is pushed; over midnight when the first is
    the later one."""

    start: time
    end: time


class NotificationSettings(models.Model):
    """What a person chose. Without a row, the defaults hold.

    `language` is `sv` or `en`, empty while they chose none. Both times are
    null without quiet hours.
    """

    account = models.OneToOneField(
        Account,
        verbose_name=_("account"),
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="notification_settings",
    )
    quiet_from = models.TimeField(null=True, default=time(21))
    quiet_to = models.TimeField(null=True, default=time(7))
    preview = models.BooleanField(default=False)
    language = models.CharField(max_length=2, default="", blank=True)
    watch = models.BooleanField(default=False)

    @property
    def quiet_hours(self) -> QuietHours | None:
        if self.quiet_from is None or self.quiet_to is None:
            return None
        return QuietHours(self.quiet_from, self.quiet_to)

    @quiet_hours.setter
    def quiet_hours(self, hours: QuietHours | None) -> None:
        self.quiet_from = hours.start if hours else None
        self.quiet_to = hours.end if hours else None


class KindSetting(models.Model):
    """How a person is told of one kind, where it is not `list`."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="kind_settings")
    kind = models.CharField(max_length=10)
    delivery = models.CharField(max_length=4, choices=[(each, each) for each in DELIVERIES])

    class Meta:
        constraints = [
            models.UniqueConstraint("account", "kind", name="one_setting_of_a_kind"),
        ]


class MutedConversation(models.Model):
    """A conversation whose messages are listed and not pushed."""

    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="muted_conversations"
    )
    conversation_id = models.UUIDField()

    class Meta:
        constraints = [
            models.UniqueConstraint("account", "conversation_id", name="muted_once"),
        ]
