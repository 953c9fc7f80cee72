from datetime import datetime, time, timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Account

DELIVERIES = ("off", "list", "push")


class NotificationSettings(models.Model):
    """What a person chose. Without a row, the defaults hold.

    `language` is `sv` or `en`, empty while they chose none. Nothing is pushed in quiet hours: two
    times of day in Stockholm, over midnight when the first is the later one; both null for none.
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

    def seconds_of_quiet(self, now: datetime) -> float:
        """Seconds until quiet hours end, also when the clock changes meanwhile; 0 outside them."""
        start, end = self.quiet_from, self.quiet_to
        if start is None or end is None:
            return 0
        local = timezone.localtime(now)
        at = local.time()
        quiet = start <= at < end if start <= end else at >= start or at < end
        if not quiet:
            return 0
        ends_at = datetime.combine(local, end, local.tzinfo)
        if end <= at:
            ends_at += timedelta(days=1)
        return max(1.0, ends_at.timestamp() - now.timestamp())


class KindSetting(models.Model):
    """How a person is told of one kind, where it is not `list`."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="kind_settings")
    kind = models.CharField(max_length=10)
    delivery = models.CharField(max_length=4, choices=[(word, word) for word in DELIVERIES])

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
