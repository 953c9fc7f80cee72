"""Public names that are not given out again."""

from django.db import models

from accounts.encryption import keyed_hash


class RetiredName(models.Model):
    """The name of an erased account, as a keyed hash, so that nobody else can get it."""

    name_hash = models.CharField(primary_key=True, max_length=64)

    def __str__(self) -> str:
        return "a retired name"

    @classmethod
    def holds(cls, username: str) -> bool:
        return cls.objects.filter(pk=keyed_hash("retired name", username)).exists()

    @classmethod
    def retire(cls, username: str) -> None:
        cls.objects.get_or_create(pk=keyed_hash("retired name", username))
