from django.db import models
from django.db.models import Q

from accounts.identifiers import new_id
from accounts.models import Account

CATEGORIES = ("exam", "holiday", "birthday", "event", "deadline", "custom")
THEMES = ("violet", "rose", "amber", "emerald", "sky", "slate")


class Countdown(models.Model):
    """A date with a title, shown on the dashboard and in the calendar feed."""

    id = models.UUIDField(primary_key=True, default=new_id)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="countdowns")
    title = models.CharField(max_length=80)
    description = models.CharField(max_length=500, blank=True)
    target_at = models.DateTimeField()
    category = models.CharField(max_length=8, default="custom")
    theme = models.CharField(max_length=7, default="violet")
    emoji = models.CharField(max_length=64, blank=True)
    pinned = models.BooleanField(default=False)
    archived = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(category__in=CATEGORIES), name="countdown_category_is_known"
            ),
            models.CheckConstraint(condition=Q(theme__in=THEMES), name="countdown_theme_is_known"),
        ]

    def __str__(self) -> str:
        return f"countdown {self.pk}"
