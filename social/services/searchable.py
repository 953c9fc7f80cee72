"""Makes what the version before wrote be found by a search, and forgets what it deleted."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from notes.models import Note
from social.limits import EDIT_WINDOW_HOURS
from social.models import Message

AT_ONCE = 500


def make_searchable(*, dry_run: bool, progress: Callable[[int], object]) -> int:
    """Set the search keys that are missing or out of date, in batches, each its own transaction.
    Safe to interrupt and to run again. Returns how many; `dry_run` changes none."""
    edited = Q(edited_at__gt=timezone.now() - timedelta(hours=2 * EDIT_WINDOW_HOURS))
    gone = Q(deleted_at__isnull=False) & ~Q(search_key="")
    messages = Message.objects.filter(Q(search_key=None) | gone | edited)
    notes = Note.objects.filter(search_key=None)
    changed = 0
    for rows in (messages.select_related("conversation"), notes):
        if dry_run:
            changed += rows.count()
            continue
        for number in _in_batches(rows):
            changed += number
            progress(changed)
    return changed


def _in_batches(rows: QuerySet[Any]) -> Iterator[int]:
    last = None
    while True:
        later = rows if last is None else rows.filter(pk__gt=last)
        keys = list(later.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])
        if not keys:
            return
        with transaction.atomic():  # locked: nobody changes a text meanwhile
            batch = list(rows.filter(pk__in=keys).select_for_update(of=("self",), no_key=True))
            for row in batch:
                row.set_search_key()
            rows.model.objects.bulk_update(batch, ["search_key"])
        last = keys[-1]
        yield len(batch)
