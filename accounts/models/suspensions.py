"""Suspension by staff: the columns that a suspension has, and who is suspended now."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Suspendable(models.Model):
    """Since when, until when (None: without end) and why. A suspension ends by itself; until
    `purge_expired` empties the columns, they describe one that is over."""

    suspended_at = models.DateTimeField(_("suspended at"), null=True, blank=True)
    suspended_until = models.DateTimeField(_("suspended until"), null=True, blank=True)
    suspension_reason = models.CharField(
        _("suspension reason"), max_length=500, blank=True, default="", db_default=""
    )

    class Meta:
        abstract = True

    @property
    def has_suspension(self) -> bool:
        """Whether a suspension has begun and not ended."""
        until = self.suspended_until
        return self.suspended_at is not None and (until is None or until > timezone.now())

    def copy_suspension(self, other: "Suspendable") -> None:
        """Take over the suspension of the other row. The caller saves."""
        for name in NO_SUSPENSION:
            setattr(self, name, getattr(other, name))


# What the columns hold where there is no suspension.
NO_SUSPENSION: dict[str, object] = {
    "suspended_at": None,
    "suspended_until": None,
    "suspension_reason": "",
}


def not_suspended(account: str = "") -> Q:
    """Accounts that are neither suspended nor being erased. From another model, `account` is the
    path to the account, such as `account__`."""
    never = Q(**{f"{account}suspended_at": None})
    over = Q(**{f"{account}suspended_until__lte": timezone.now()})
    return Q(**{f"{account}erasure_started_at": None}) & (never | over)
