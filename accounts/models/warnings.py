"""Warnings by staff."""

from typing import Any

from django.db import models

from accounts.models.accounts import Account


class RandomId(models.Func):
    """A random UUID, made by the database: also for rows from before the column."""

    function = "gen_random_uuid"
    output_field = models.UUIDField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra_context: Any) -> Any:
        template = "(lower(hex(randomblob(16))))"
        return self.as_sql(compiler, connection, template=template, **extra_context)


class AccountWarning(models.Model):
    """A warning by staff after a report, in the words of a moderator. Only the warned person sees
    it, in their own profile."""

    public_id = models.UUIDField(db_default=RandomId(), editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="warnings")
    # The column had the reason of the report before it had the text.
    text = models.CharField(max_length=500, db_column="reason")
    created_at = models.DateTimeField(auto_now_add=True)
