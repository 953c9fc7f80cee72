from django.db import models

from accounts.models import Account
from social.models.conversations import Conversation


class SpentIv(models.Model):
    """One IV that a sender has used in a conversation; the row stays when its message is edited or
    deleted, because reusing an IV with the same key reveals both texts. An IV is random and says
    nothing about the text.
    """

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="spent_ivs", db_index=False
    )
    sender = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="spent_ivs")
    iv = models.CharField(max_length=16)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["conversation", "sender", "iv"], name="no_iv_twice")
        ]

    def __str__(self) -> str:
        return f"spent IV {self.pk}"
