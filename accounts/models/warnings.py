"""A word from staff to a person."""

from django.db import models

from accounts.models.accounts import Account


class AccountWarning(models.Model):
    """Staff found that something this person did was not right. The person reads it with their own
    profile; nobody else does."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="warnings")
    reason = models.CharField(max_length=20)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"warning of account {self.account_id}"
