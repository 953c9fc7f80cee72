from django.db import models

from accounts.models import Account


class Presence(models.Model):
    """The last heartbeat of somebody who is there; nobody has a row who has said `offline`."""

    account = models.OneToOneField(
        Account, on_delete=models.CASCADE, primary_key=True, related_name="presence"
    )
    last_seen = models.DateTimeField()
