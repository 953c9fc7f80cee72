"""Invites into groups. Only friends of the admin become members without one."""

from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Account
from social.models.conversations import Conversation


class Invite(models.Model):
    """Open (`pending`) until it is answered or withdrawn; one open invite per person and group.

    `members_seen` is the newest membership that the invited person has been shown: whoever has a
    newer one has joined since.
    """

    PENDING = "pending"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"

    id = models.UUIDField(primary_key=True, default=uuid4)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="invites")
    invited = models.ForeignKey(
        Account, verbose_name=_("invited"), on_delete=models.CASCADE, related_name="invites"
    )
    invited_by = models.ForeignKey(
        Account, verbose_name=_("invited by"), on_delete=models.CASCADE, related_name="invites_sent"
    )
    # As it was when the invite was sent: a name cannot be used to send another message.
    group_name = models.CharField(max_length=80, blank=True, default="", db_default="")
    members_seen = models.BigIntegerField(default=0, db_default=0)
    status = models.CharField(
        _("status"),
        max_length=9,
        default=PENDING,
        choices=[
            (PENDING, _("waiting for an answer")),
            (ACCEPTED, _("accepted")),
            (DECLINED, _("declined")),
            (WITHDRAWN, _("withdrawn")),
        ],
    )
    invited_at = models.DateTimeField(_("invited at"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)

    class Meta:
        verbose_name = _("group invite")
        verbose_name_plural = _("group invites")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "invited"],
                condition=Q(status="pending"),
                name="one_open_invite_a_person",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["pending", "accepted", "declined", "withdrawn"]),
                name="invite_status_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
