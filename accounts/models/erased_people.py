"""What is kept of erased people who are suspended."""

from django.db import models

from accounts.models.suspensions import Suspendable


class ErasedPerson(Suspendable):
    """The suspension of a person without an account, found by a keyed hash of the person. It is
    applied to the account that the next sign-in creates, and the row is deleted."""

    person_hash = models.CharField(primary_key=True, max_length=64)

    def __str__(self) -> str:
        return "an erased person"
