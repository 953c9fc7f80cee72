"""Avatars, covers, and pictures that wait to become one."""

from django.db import models

from accounts.models.accounts import Account


class Picture(models.Model):
    """A re-encoded picture with an unguessable name. Replaced, not changed; but one that waits is
    cropped when it becomes the avatar, and keeps its name.

    Stored in the database, because the machines share nothing but PostgreSQL and Redis.
    """

    AVATAR = "avatar"
    COVER = "cover"
    WAITING = "waiting"  # uploaded without a kind, and in no profile yet

    name = models.CharField(primary_key=True, max_length=40)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="pictures")
    kind = models.CharField(max_length=7)
    data = models.BinaryField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account", "kind"],
                name="one_picture_of_a_kind",
                condition=~models.Q(kind="waiting"),
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=["avatar", "cover", "waiting"]),
                name="picture_kind_is_known",
            ),
        ]
