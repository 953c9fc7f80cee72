"""Deleting what an import leaves behind, after RETENTION_MONTHS."""

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import Account, ImportedObject, ServiceSession
from accounts.purging import MONTH, Purged, purge_rows
from accounts.services.erasure import erase_account


def purge_imports(dry_run: bool = False) -> list[Purged]:
    """After RETENTION_MONTHS: erase accounts that nobody has claimed, and forget which messages
    were imported, as an import refuses messages of that age."""
    before = timezone.now() - settings.RETENTION_MONTHS * MONTH
    # An older version of the service, which ran beside this one, claims nothing at a sign-in.
    used = Exists(ServiceSession.objects.filter(account=OuterRef("pk")))
    unused = Account.objects.filter(~used, unclaimed_since__lt=before)
    people = list(unused.values_list("pk", flat=True))
    if not dry_run:
        for account_id in people:
            erase_account(account_id, only_unclaimed=True)
    noun = "accounts that were imported and never used"
    messages = ImportedObject.objects.filter(kind=ImportedObject.MESSAGE, imported_at__lt=before)
    return [
        Purged(noun, "erased", seen=len(people), expired=len(people)),
        purge_rows(messages, "records of imported messages", dry_run=dry_run),
    ]
