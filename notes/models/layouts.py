from django.db import models

from accounts.models import Account


class Layout(models.Model):
    """The widgets of an account's dashboard, as the serializer validated them."""

    account = models.OneToOneField(
        Account, on_delete=models.CASCADE, primary_key=True, related_name="layout"
    )
    widgets = models.JSONField(default=list)
    updated_at = models.DateTimeField(auto_now=True)
