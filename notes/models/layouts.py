"""How somebody's dashboard is arranged."""

from django.db import models

from accounts.models import Account


class Layout(models.Model):
    """The widgets of an account, as its client saved them and the serializer let them in."""

    account = models.OneToOneField(
        Account, on_delete=models.CASCADE, primary_key=True, related_name="layout"
    )
    widgets = models.JSONField(default=list)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"layout of account {self.account_id}"
