"""Presence: who has been heard of in the last minutes.

The status depends only on the age of the last heartbeat, as the specification says: an `idle`
heartbeat is a heartbeat. Friends receive an event only when the status changes. Becoming idle has
no event: readers see it.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import Account, not_suspended
from accounts.name_comparison import normalize_username
from accounts.purging import Purged, purge_rows
from social.limits import HEARTBEAT_SECONDS, IDLE_AFTER_SECONDS, OFFLINE_AFTER_SECONDS
from social.models import Presence
from social.realtime.events import PresenceChanged, Status
from social.realtime.publish import Delivery, publish_on_commit
from social.services.relations import contacts_of, friends_of

STATUSES: tuple[Status, ...] = ("online", "idle", "offline")


def record_heartbeat(account_id: int, username: str, status: Status = "online") -> Status:
    """Store a heartbeat, at most once a minute, or end presence (`offline`). Returns the status as
    others see it.

    Publishes a change to friends. May be called from any thread, with or without a request.
    """
    shown: Status = "offline" if status == "offline" else "online"
    now = timezone.now()
    row = Presence.objects.filter(account=account_id).first()
    before = _status_of(row.last_seen if row else None, now)
    if row is None:
        if shown == "online":  # two devices may come at once
            rows = [Presence(account_id=account_id, last_seen=now)]
            Presence.objects.bulk_create(rows, ignore_conflicts=True)
    elif shown == "offline":
        row.delete()
    elif now - row.last_seen >= timedelta(seconds=HEARTBEAT_SECONDS):
        Presence.objects.filter(account=account_id).update(last_seen=now)
    if before != shown:
        changed = PresenceChanged(username=username, status=shown)
        # A block ends the friendship, so none of the friends is blocked.
        publish_on_commit([Delivery(sorted(friends_of(account_id)), changed)])
    return shown


def read_presences(account_id: int, usernames: Iterable[str]) -> dict[str, Status]:
    """The status of the people with these names, by the names as given.

    Offline, whatever they are: people who are unknown, suspended, blocked either way, or neither a
    friend nor in a conversation with the account.
    """
    names = {name: normalize_username(name) for name in usernames}
    # PostgreSQL refuses NUL in a string, and no name has one.
    wanted = {username for username in names.values() if "\0" not in username}
    people = Account.objects.filter(not_suspended(), username__in=wanted)
    rows = list(people.values_list("pk", "username", "presence__last_seen"))
    visible = contacts_of(account_id, {pk for pk, _, _ in rows})
    now = timezone.now()
    shown = {username: _status_of(seen, now) for pk, username, seen in rows if pk in visible}
    return {name: shown.get(username, "offline") for name, username in names.items()}


def purge_presences(dry_run: bool = False) -> Purged:
    """Delete when people were last seen, once they are offline."""
    long_ago = timezone.now() - timedelta(seconds=OFFLINE_AFTER_SECONDS)
    return purge_rows(Presence.objects.filter(last_seen__lt=long_ago), "presences", dry_run=dry_run)


def _status_of(last_seen: datetime | None, now: datetime) -> Status:
    if last_seen is None:
        return "offline"
    age = (now - last_seen).total_seconds()
    if age < IDLE_AFTER_SECONDS:
        return "online"
    return "idle" if age <= OFFLINE_AFTER_SECONDS else "offline"
