"""The requests that looks may send to an upstream host: never more than so many in any minute.

The budget is a row for each of them, for all processes and nodes. A look reserves rows before it
asks, with one conditional UPDATE. A row that was used rests until a minute after the look; one that
was not is free again at once. A worker that dies leaves its rows resting until its last request
must be over.
"""

import threading
import time
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from schoolproxy import limits
from schoolproxy.models import WatchSlot
from upstream.deadline import TOTAL_SECONDS
from upstream.errors import QuotaSpent


class Reservation:
    """Requests that a look may send. `take` is for `upstream.request_quota`; thread-safe."""

    def __init__(self, claim: UUID, slots: list[int]) -> None:
        self._claim = claim
        self._slots = slots
        self._used = 0
        self._lock = threading.Lock()
        self._ends = time.monotonic() + limits.WATCH_LOOK_SECONDS

    def take(self) -> None:
        """Count a request that is sent now. Raises: QuotaSpent."""
        with self._lock:
            if self._used >= len(self._slots) or time.monotonic() >= self._ends:
                raise QuotaSpent("a look has sent its share of requests", retry_after=60)
            self._used += 1

    def give_back(self) -> None:
        """End the look: what it sent rests for a minute from now, and the rest is free."""
        with self._lock:
            used, unused = self._slots[: self._used], self._slots[self._used :]
            self._slots = used
        now = timezone.now()
        mine = WatchSlot.objects.filter(claim=self._claim)
        rest = timedelta(seconds=limits.WATCH_REST_SECONDS)
        mine.filter(pk__in=used).update(free_at=now + rest, claim=None)
        mine.filter(pk__in=unused).update(free_at=now, claim=None)


def upstream_host() -> str:
    return urlsplit(settings.UPSTREAM_URL).netloc


def reserve(requests: int) -> Reservation | None:
    """So many requests (at most the whole budget); None if not all of them are free now."""
    host, most = upstream_host(), settings.WATCH_REQUESTS_PER_MINUTE
    wanted = min(requests, most)
    if not wanted:
        return None
    now, claim = timezone.now(), uuid4()
    longest = limits.WATCH_LOOK_SECONDS + TOTAL_SECONDS + limits.WATCH_REST_SECONDS
    free = WatchSlot.objects.filter(host=host, number__lt=most, free_at__lte=now)
    with transaction.atomic():
        _make_slots(host, most)
        chosen = list(free.order_by("number").values_list("pk", flat=True)[:wanted])
        if len(chosen) < wanted:
            return None
        until = now + timedelta(seconds=longest)
        # Another worker may have taken some since: its UPDATE changed what the condition reads.
        free.filter(pk__in=chosen).update(free_at=until, claim=claim)
        slots = list(WatchSlot.objects.filter(claim=claim).values_list("pk", flat=True))
        if len(slots) == wanted:
            return Reservation(claim, slots)
        WatchSlot.objects.filter(pk__in=slots).update(free_at=now, claim=None)
        return None


def requests_left() -> int:
    """How many requests may be sent now."""
    most = settings.WATCH_REQUESTS_PER_MINUTE
    resting = WatchSlot.objects.filter(
        host=upstream_host(), number__lt=most, free_at__gt=timezone.now()
    )
    return most - resting.count()


def _make_slots(host: str, most: int) -> None:
    if WatchSlot.objects.filter(host=host, number__lt=most).count() < most:
        now = timezone.now()
        rows = [WatchSlot(host=host, number=number, free_at=now) for number in range(most)]
        WatchSlot.objects.bulk_create(rows, ignore_conflicts=True)
