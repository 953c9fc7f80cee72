from django.db import models

from accounts.models import Account
from social.models.messages import Message


class Reaction(models.Model):
    """One person's emoji under a message; a row each, so that concurrent ones do not conflict."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="reactions")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="reactions")
    emoji = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["message", "account", "emoji"], name="one_reaction_a_person_and_emoji"
            )
        ]

    def __str__(self) -> str:
        return f"reaction of account {self.account_id}"
