"""What is kept of erased people: their names and suspensions, as keyed hashes."""

from django.db import models

from accounts.encryption import keyed_hash
from accounts.models.suspensions import Suspendable
from accounts.name_comparison import name_key


class ErasedPerson(Suspendable):
    """The suspension of a person without an account, found by a keyed hash of the person. It is
    applied to the account that the next sign-in creates, and the row is deleted."""

    person_hash = models.CharField(primary_key=True, max_length=64)


class RetiredName(models.Model):
    """The name of an erased account, as a keyed hash, so that nobody else can get it or one that
    looks like it."""

    name_hash = models.CharField(primary_key=True, max_length=64)

    @classmethod
    def holds(cls, username: str) -> bool:
        # Older rows hold the name itself in place of its key.
        hashes = {keyed_hash("retired name", name) for name in (name_key(username), username)}
        return cls.objects.filter(pk__in=hashes).exists()

    @classmethod
    def retire(cls, username: str) -> None:
        cls.objects.get_or_create(pk=keyed_hash("retired name", name_key(username)))
