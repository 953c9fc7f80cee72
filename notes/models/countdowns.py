from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import Words
from accounts.models import Account

CATEGORY_LABELS: dict[str, Words] = {
    "exam": _("exam"),
    "holiday": _("holiday"),
    "birthday": _("birthday"),
    "event": _("event"),
    "deadline": _("deadline"),
    "custom": _("something else"),
}
CATEGORIES = tuple(CATEGORY_LABELS)
THEMES = ("violet", "rose", "amber", "emerald", "sky", "slate")


class Countdown(models.Model):
    """A date with a title, shown on the dashboard and in the calendar feed."""

    id = models.UUIDField(primary_key=True, default=uuid4)
    account = models.ForeignKey(
        Account, verbose_name=_("account"), on_delete=models.CASCADE, related_name="countdowns"
    )
    title = models.CharField(max_length=80)
    description = models.CharField(max_length=500, blank=True)
    target_at = models.DateTimeField(_("date"))
    category = models.CharField(
        _("category"), max_length=8, default="custom", choices=list(CATEGORY_LABELS.items())
    )
    theme = models.CharField(max_length=7, default="violet")
    emoji = models.CharField(max_length=64, blank=True)
    pinned = models.BooleanField(default=False)
    archived = models.BooleanField(_("archived"), default=False)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("countdown")
        verbose_name_plural = _("countdowns")
        constraints = [
            models.CheckConstraint(
                condition=Q(category__in=CATEGORIES), name="countdown_category_is_known"
            ),
            models.CheckConstraint(condition=Q(theme__in=THEMES), name="countdown_theme_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
