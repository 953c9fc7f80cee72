"""Avatars and covers."""

from django.db import models

from accounts.models.accounts import Account


class Picture(models.Model):
    """A re-encoded picture with an unguessable name. Never changed, only replaced.

    Stored in the database, because the machines share nothing but PostgreSQL and Redis.
    """

    AVATAR = "avatar"
    COVER = "cover"

    name = models.CharField(primary_key=True, max_length=40)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="pictures")
    kind = models.CharField(max_length=6)
    data = models.BinaryField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "kind"], name="one_picture_of_a_kind"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["avatar", "cover"]), name="picture_kind_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of account {self.account_id}"
