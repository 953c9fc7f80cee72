"""Warnings by staff."""

from django.db import models

from accounts.models.accounts import Account


class AccountWarning(models.Model):
    """A warning by staff after a report. Only the warned person sees it, in their own profile."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="warnings")
    reason = models.CharField(max_length=20)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"warning of account {self.account_id}"
