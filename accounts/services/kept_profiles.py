"""Keeping what a profile showed when its account is erased (`kept_texts`).

Who was insulted by it knows the public name, and nobody else ever gets that one. So the name finds
what is kept, also after the person has signed in again and has another name.
"""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.errors import NotSignedIn
from accounts.models import KeptText, Picture, RetiredName
from accounts.name_comparison import normalize_username
from accounts.services.erased_people import return_evidence
from accounts.services.kept_texts import kept_since, kept_text
from accounts.services.pictures import file_by_kind
from accounts.services.profiles import SHOWN_TEXTS, locked_profile

# The kind of report.
PROFILE = "profile"


@transaction.atomic
def keep_profile(account_id: int) -> None:
    """Keep the texts and pictures of a profile whose account is being erased: once, however often
    the erasure is begun."""
    try:
        profile = locked_profile(account_id)
    except NotSignedIn:
        return
    account, now = profile.account, timezone.now()
    # What was kept before this erasure began is of an earlier account of the person.
    since = account.erasure_started_at or now
    texts_before = _kept_at_erasure().filter(target_id=str(account_id), gone_at__gte=since)
    if texts_before.exists():
        return
    names = {"username": account.username, "school_name": profile.school_name}
    texts = names | {name: getattr(profile, name) for name in SHOWN_TEXTS}
    pictures = Picture.objects.filter(account_id=account_id).exclude(kind=Picture.WAITING)
    kinds = [(PROFILE, texts), *((KeptText.PICTURE, file_by_kind(row)) for row in pictures)]
    KeptText.objects.bulk_create(
        kept_text(
            target_type,
            str(account_id),
            values,
            account_id=account_id,
            change=KeptText.DELETED,
            gone_at=now,
        )
        for target_type, values in kinds
    )


def return_kept(account_id: int, person_hash: str) -> None:
    """Link what is kept of a person to their new account; what is kept of the profile before comes
    with a report of the new one."""
    of_profile = KeptText.objects.filter(target_type__in=[PROFILE, KeptText.PICTURE])
    of_profile.filter(person_hash=person_hash, account=None).update(target_id=str(account_id))
    return_evidence(KeptText.objects.all(), account_id, person_hash)


def kept_of_former_name(username: str) -> KeptText | None:
    """The texts of the profile that had this public name until its account was erased, in the last
    fourteen days. Its `target_id` is the person's account, or the erased one."""
    if not RetiredName.holds(username):
        return None
    name = normalize_username(username)
    # The names are encrypted: it looks at all that were erased in these days.
    rows = _kept_at_erasure().filter(gone_at__gt=kept_since()).order_by("-gone_at", "-pk")
    return next((row for row in rows.iterator() if row.values["username"] == name), None)


def _kept_at_erasure() -> QuerySet[KeptText]:
    return KeptText.objects.filter(target_type=PROFILE, change=KeptText.DELETED)
