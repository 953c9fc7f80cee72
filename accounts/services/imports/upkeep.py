"""What is left of an import after a time."""

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.contribution_types import Progress, Purged
from accounts.models import Account, ImportedObject, ServiceSession
from accounts.services.audit import MONTH
from accounts.services.erasure import erase_account

BATCH = 1_000


def purge_imports(*, dry_run: bool = False, progress: Progress = lambda _: None) -> list[Purged]:
    """After RETENTION_MONTHS: erase accounts that nobody has claimed, and forget which messages
    were imported, as an import refuses messages of that age."""
    before = timezone.now() - settings.RETENTION_MONTHS * MONTH
    people = Purged(noun="accounts that were imported and never used", done="erased")
    # An older version of the service, which ran beside this one, claims nothing at a sign-in.
    used = Exists(ServiceSession.objects.filter(account=OuterRef("pk")))
    unused = Account.objects.filter(~used, unclaimed_since__lt=before)
    for account_id in list(unused.values_list("pk", flat=True)):
        people.seen += 1
        people.expired += 1
        if not dry_run:
            erase_account(account_id, only_unclaimed=True)
        progress(people)
    messages = Purged(noun="records of imported messages", done="deleted")
    rows = ImportedObject.objects.filter(kind=ImportedObject.MESSAGE, imported_at__lt=before)
    if dry_run:
        messages.seen = messages.expired = rows.count()
    while not dry_run and (batch := list(rows.values_list("pk", flat=True)[:BATCH])):
        count, _ = rows.filter(pk__in=batch).delete()
        messages.seen += count
        messages.expired += count
        progress(messages)
    return [people, messages]
