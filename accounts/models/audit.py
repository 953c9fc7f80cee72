"""The audit log of staff."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class AuditEntry(models.Model):
    """One page that a member of staff viewed, or one action of staff or of a command.

    Never changed: the database refuses it (migration `staff`); `purge_audit` deletes old entries.
    Names are kept as text, as they were at that moment: they outlive accounts and members of staff.
    The defaults in the database are for the previous version, which does not know all columns.
    """

    at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)
    # None for a command.
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("member of staff"),
        null=True,
        on_delete=models.PROTECT,
        related_name="audit_entries",
    )
    staff_name = models.CharField(
        _("staff name"), max_length=150, blank=True, default="", db_default=""
    )
    # The management command, and the operating-system user who ran it.
    command = models.CharField(_("command"), max_length=60, blank=True, default="", db_default="")
    system_user = models.CharField(
        _("system user"), max_length=60, blank=True, default="", db_default=""
    )
    action = models.CharField(_("action"), max_length=40)
    # Whom it touched: not a foreign key, because the entry stays when the account is erased.
    account_id = models.BigIntegerField(_("account id"), null=True, db_index=True)
    account_name = models.CharField(
        _("public name"), max_length=300, blank=True, default="", db_default=""
    )
    case_id = models.CharField(_("case"), max_length=64, blank=True, default="", db_default="")
    target = models.CharField(_("target"), max_length=300, blank=True)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    # The network of the address, as in the logs.
    address = models.CharField(_("network"), max_length=45, blank=True)
    # Account name, case, target and reason, normalized for search.
    search_key = models.TextField(blank=True, default="", db_default="")

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
