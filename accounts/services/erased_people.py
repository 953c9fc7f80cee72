"""Erased people who may sign in again: their suspension and the evidence about them are kept, under
a keyed hash of the person.

A sign-in, a suspension and an erasure of one person lock the person's row first, so they happen one
after the other, and none of them misses what another one did.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Account, ErasedPerson, Erasure
from accounts.person_hash import hash_of_person, key_hash
from accounts.services.suspension import set_suspension, suspend_account, unsuspend_account


def remember_erasure(account: Account) -> None:
    """Note, in the transaction that deletes the account, that its person was erased."""
    Erasure.objects.create(
        person_hash=hash_of_person(account.school, account.upstream_user_id),
        key_hash=key_hash(),
        erased_at=timezone.now(),
    )


@transaction.atomic
def suspend_erased_person(
    person_hash: str,
    *,
    until: datetime | None = None,
    reason: str = "",
    keep_longer: bool = False,
) -> None:
    """Suspend a person who has no account, from their next sign-in on; or their new account, if
    they have signed in again. The rest is as in `suspend_account`."""
    person = _locked_person(person_hash)
    account_id = _account_of(person_hash)
    if account_id is not None:
        suspend_account(account_id, until=until, reason=reason, keep_longer=keep_longer)
        person.delete()
        return
    set_suspension(person, until=until, reason=reason, keep_longer=keep_longer)
    person.save()


@transaction.atomic
def unsuspend_erased_person(person_hash: str) -> None:
    """Lift the suspension of a person who was erased, also if they have signed in again."""
    person = _locked_person(person_hash)
    account_id = _account_of(person_hash)
    if account_id is not None:
        unsuspend_account(account_id)
    person.delete()


def keep_suspension(account_id: int) -> Account | None:
    """Keep the suspension of an account that is about to be deleted, in the same transaction.
    Returns the account, locked; None if it is deleted already."""
    account = Account.objects.filter(pk=account_id).first()
    if account is None:
        return None
    person = _locked_person(account.person_hash)
    account = Account.objects.select_for_update().filter(pk=account_id).first()
    if account is not None and account.has_suspension:
        person.copy_suspension(account)
        person.save()
    elif not person.has_suspension:
        person.delete()
    return account


def keep_evidence(rows: QuerySet[Any], account_id: int) -> None:
    """Put the keyed hash, public name and school of a person whose account is being erased in place
    of the account, in those of the rows (`KeptOfPerson`) that are about them."""
    account = Account.objects.filter(pk=account_id).first()
    if account is not None:
        rows.filter(account=account).update(
            account=None,
            person_hash=hash_of_person(account.school, account.upstream_user_id),
            person_name=account.username,
            school=account.school,
        )


def return_evidence(rows: QuerySet[Any], account_id: int, person_hash: str) -> None:
    """Link the rows that `keep_evidence` left of a person to their new account."""
    rows.filter(person_hash=person_hash, account=None).update(account=account_id)


def lock_people(hashes: Iterable[str]) -> None:
    """Lock these people until the transaction ends, in one order. Their suspensions stay as they
    are; a sign-in, a suspension by the hash and an erasure of one of them wait."""
    for person_hash in sorted(set(hashes)):
        person = _locked_person(person_hash)
        if not person.has_suspension:
            person.delete()  # others wait for the end of this transaction all the same


def restore_suspension(account: Account) -> None:
    """Apply to a new account what was kept of the person, in the transaction that creates it."""
    person = _locked_person(account.person_hash)
    if person.has_suspension:
        account.copy_suspension(person)
        account.save()
    person.delete()


def _locked_person(person_hash: str) -> ErasedPerson:
    """The person's row, locked until the transaction ends; created if there is none, so that there
    is something to lock. The caller deletes it when it holds no suspension."""
    while True:
        ErasedPerson.objects.bulk_create([ErasedPerson(pk=person_hash)], ignore_conflicts=True)
        person = ErasedPerson.objects.select_for_update().filter(pk=person_hash).first()
        if person is not None:
            return person


def _account_of(person_hash: str) -> int | None:
    """The account of the person, found by looking at all: this is rare, and a stored hash would
    have to be kept for everybody."""
    people = Account.objects.values_list("pk", "school", "upstream_user_id").iterator()
    matching = (
        pk for pk, school, user_id in people if hash_of_person(school, user_id) == person_hash
    )
    return next(matching, None)
