"""What is kept of erased people: keyed hashes of names, suspensions, and the erasures."""

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


class Erasure(models.Model):
    """An erasure that has happened. deploy/list_erasures.sh copies these rows beside the back-ups,
    so that it can be repeated after one is restored (`services/repeated_erasures.py`).

    `key_hash` recognises the SECRET_KEY that made `person_hash`.
    """

    person_hash = models.CharField(max_length=64)
    key_hash = models.CharField(max_length=16)
    erased_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person_hash", "erased_at"], name="one_erasure_a_time")
        ]
