"""People of an import: an account for each, which its person claims by signing in."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.encryption import keyed_hash
from accounts.import_types import ImportRefused, ImportRow
from accounts.models import Account, ErasedPerson, ImportedObject, RetiredName
from accounts.services.accounts import create_account
from accounts.services.erased_people import hash_of_person
from accounts.services.profiles import change_profile, is_username_of_another, locked_profile
from accounts.services.schools import organizations_of
from accounts.services.usernames import usernames
from upstream.records import UpstreamSession

ERASED = "An account of this person, or of this name, was erased here."


def save_people(rows: Sequence[ImportRow]) -> None:
    """Make an account for each person who has none. Who has one keeps it as it is."""
    for row in rows:
        try:
            with transaction.atomic():  # a refusal leaves nothing
                account = _found(row) or _created(row)
                _recognise(account)
        except ImportRefused as why:
            row.refused = why
        else:
            row.target = str(account.pk)


def _found(row: ImportRow) -> Account | None:
    """The account that the person has already, locked. Raises: ImportRefused."""
    fields = row.fields
    rows = Account.objects.select_for_update(no_key=True)
    number = fields["person"]["user_id"]
    account = rows.filter(school=fields["school"], upstream_user_id=number).first()
    if account is None:
        return None
    if account.erasure_started_at is not None:
        raise ImportRefused("The person is being erased.")
    of_source = ImportedObject.objects.filter(kind=ImportedObject.PERSON, target=row.source)
    if of_source.filter(account=account).exclude(pk=row.key).exists():
        raise ImportRefused("upstreamUserId: Another person of this source has the same number.")
    organization_id = _organization_id(fields)
    if organization_id is not None and account.organization_id not in (None, organization_id):
        raise ImportRefused("organizationId: Somebody of another organisation has this number.")
    row.found = True
    return account


def _created(row: ImportRow) -> Account:
    """A new account; the person's own, if they have signed in meanwhile. Raises: ImportRefused for
    somebody who was erased here, and for the display name of somebody else."""
    values = dict(row.fields)
    school = values.pop("school")
    person = UpstreamSession(**values.pop("person"), user_type_id=None, user_type_name="")
    answer = replace(person, organization_id=_organization_id(row.fields))
    _refuse_erased(school, answer)
    if is_username_of_another(values.get("display_name", ""), 0):
        raise ImportRefused("displayName: This is somebody else's user name.")
    now = timezone.now()
    account = create_account(school, answer, unclaimed_since=now)
    if account.unclaimed_since != now:
        found = _found(row)
        if found is None:
            raise ImportRefused(ERASED)
        return found
    change_profile(locked_profile(account.pk), values)
    return account


def _organization_id(fields: Mapping[str, Any]) -> int | None:
    """Upstream's number of the person's organisation. Several can share a slug, and number their
    people independently: without it, whoever signs in first with the number would get the account.

    Raises: ImportRefused.
    """
    number: int | None = fields["person"]["organization_id"]
    named = organizations_of(fields["school"])
    if number is None and not named:
        raise ImportRefused("organizationId: Required, as the list of schools names none.")
    if number is not None and named and number not in named:
        raise ImportRefused("organizationId: The list of schools names others for this school.")
    return named[0] if number is None and len(named) == 1 else number


def _recognise(account: Account) -> None:
    """Keep who was imported, so that nobody is imported again who is erased later. Raises:
    ImportRefused, if that has happened."""
    key = keyed_hash("imported person", account.school, str(account.upstream_user_id))
    identity, _ = ImportedObject.objects.get_or_create(
        pk=key,
        defaults={
            "kind": ImportedObject.IDENTITY,
            "account": account,
            "imported_at": timezone.now(),
        },
    )
    if identity.account_id is None:
        raise ImportRefused(ERASED)


def _refuse_erased(school: str, answer: UpstreamSession) -> None:
    """An erasure leaves no trace of a person but hashes: of the name, and of somebody suspended;
    `_recognise` finds who was imported."""
    number = answer.user_id
    person = hash_of_person(school, number)
    names = {f"user-{number}", f"user-{number}@{school}", *islice(usernames(school, answer), 4)}
    if ErasedPerson.objects.filter(pk=person).exists() or any(map(RetiredName.holds, names)):
        raise ImportRefused(ERASED)
