"""Keeping what others could read, for fourteen days after it was changed or taken back.

So the reported person does not decide what can be reported. The services that edit, delete, rename
or withdraw something save a `kept_text` in the transaction of the change; nothing but a report
reads it again. It is here because profiles are below the apps that own the rest.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.utils import timezone

from accounts.contribution_types import ReportTarget
from accounts.errors import ChangedTooOften
from accounts.models import KeptText
from accounts.personal_data import with_api_names
from accounts.purging import Purged, purge_rows

KEPT_FOR = timedelta(days=14)
# Among the texts of a message that somebody else than its author deleted: that one's public name.
# Staff read it; it is not in the author's export.
DELETED_BY = "deleted_by"


def kept_since() -> datetime:
    """What was changed or taken back after this moment can be reported."""
    return timezone.now() - KEPT_FOR


def kept_text(
    target_type: str,
    target_id: str,
    texts: Mapping[str, str],
    *,
    account_id: int | None,
    change: str,
    reader_id: int | None = None,
    gone_at: datetime | None = None,
) -> KeptText:
    """Texts of a target as they were before a change; not saved yet.

    `account_id`: who wrote them; `reader_id`: who could read them, if not everybody who can see the
    target; `gone_at`: when they went (now).
    """
    return KeptText(
        target_type=target_type,
        target_id=target_id,
        account_id=account_id,
        reader_id=reader_id,
        texts=orjson.dumps(texts).decode(),
        change=change,
        gone_at=gone_at or timezone.now(),
    )


def kept_texts(target_type: str, target_ids: Collection[str]) -> dict[str, list[KeptText]]:
    """What is kept of these targets, by id, the oldest first; targets without any are missing."""
    rows = KeptText.objects.filter(
        target_type=target_type, target_id__in=target_ids, gone_at__gt=kept_since()
    )
    by_target: dict[str, list[KeptText]] = defaultdict(list)
    for row in rows.select_related("account__profile").order_by("gone_at", "pk"):
        by_target[row.target_id].append(row)
    return dict(by_target)


def kept_target(row: KeptText, *, seen_until: datetime | None = None) -> ReportTarget:
    """What a report is about, with the author of this row, whose account may be erased."""
    return ReportTarget(
        row.target_id,
        row.account_id,
        school=row.school,
        person_hash=row.person_hash,
        person_name=str(row.person_name),
        seen_until=seen_until,
    )


def require_changes_left(target_type: str, target_id: str, *, most: int) -> None:
    """Check that fewer texts than this are kept of a locked target. All of them are, so nobody
    pushes a text out of the evidence by changing it again and again. Raises: ChangedTooOften."""
    rows = KeptText.objects.filter(
        target_type=target_type, target_id=target_id, gone_at__gt=kept_since()
    )
    if rows.count() >= most:
        raise ChangedTooOften


def export_kept_texts(account_id: int) -> Iterator[dict[str, Any]]:
    """What is kept of texts of this account, for its export. Not by a cursor: the connection is
    given back while a client reads slowly."""
    for row in KeptText.objects.filter(account_id=account_id).order_by("gone_at", "pk"):
        yield {
            "targetType": row.target_type,
            "texts": with_api_names(
                {name: text for name, text in row.values.items() if name != DELETED_BY}
            ),
            "change": row.change,
            "goneAt": row.gone_at,
        }


def purge_kept_texts(dry_run: bool = False) -> Purged:
    """Delete what was changed or taken back more than fourteen days ago."""
    expired = KeptText.objects.filter(gone_at__lte=kept_since())
    return purge_rows(expired, "kept texts", dry_run=dry_run)
