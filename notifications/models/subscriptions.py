from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.identifiers import new_id
from accounts.models import Account


class PushSubscription(models.Model):
    """Where a browser or an app of one login receives pushes (RFC 8030).

    `sealed` holds the endpoint and the two keys of the client. `ends_since` is when the login died:
    the push that says so is the last one.
    """

    id = models.UUIDField(primary_key=True, default=new_id)
    account = models.ForeignKey(
        Account,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        related_name="push_subscriptions",
    )
    session_key = models.CharField(max_length=64, db_index=True)
    endpoint_hash = models.CharField(max_length=64, unique=True)
    sealed = models.BinaryField()
    host = models.CharField(max_length=255)
    device = models.CharField(_("device"), max_length=40, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    ends_since = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
