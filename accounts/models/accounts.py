"""An account: one person at one school."""

from django.db import models


class Account(models.Model):
    """A person, identified by school and upstream user id. What others see is the profile.

    `username` is public, unique over all schools, and does not change when upstream renames the
    person.
    """

    school = models.CharField(max_length=63)
    upstream_user_id = models.BigIntegerField()
    username = models.CharField(max_length=300, unique=True)
    suspended_at = models.DateTimeField(null=True, blank=True)
    # Set while the account is being erased, so that an interrupted erasure is finished later.
    erasure_started_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["school", "upstream_user_id"], name="one_account_per_upstream_person"
            )
        ]

    def __str__(self) -> str:
        return f"account {self.pk}"

    @property
    def is_suspended(self) -> bool:
        return self.suspended_at is not None
