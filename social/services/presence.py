"""Presence: the last heartbeat of each account, in the store and not in the database.

The status depends only on its age, as the specification says: an `idle` heartbeat is a heartbeat.
A heartbeat overwrites one key, in one round trip; friends receive an event only when the status
changes. Becoming idle has no event: readers see it. While the store is down, heartbeats are lost
and everybody is shown as offline.
"""

import time
from collections.abc import Iterable
from contextlib import suppress

from accounts.errors import StoreUnavailable
from accounts.name_comparison import normalize_username
from accounts.services.people import people_named
from accounts.stores import store
from social.limits import IDLE_AFTER_SECONDS, OFFLINE_AFTER_SECONDS
from social.realtime.events import PresenceChanged, Status
from social.realtime.publish import Delivery, publish_on_commit
from social.services.relations import contacts_of, friends_of

STATUSES: tuple[Status, ...] = ("online", "idle", "offline")
# A little longer than it counts, so that the age decides and not the expiry of the key.
_TTL_SECONDS = OFFLINE_AFTER_SECONDS + 60


def record_heartbeat(account_id: int, username: str, status: Status = "online") -> Status:
    """Store a heartbeat, or end presence (`offline`). Returns the status as others see it.

    Publishes a change to friends. May be called from any thread, with or without a request.
    """
    key, now = _key(account_id), _now()
    shown: Status = "offline" if status == "offline" else "online"
    try:
        if shown == "offline":
            before = store().take(key)
        else:
            before = store().swap(key, b"%d" % now, _TTL_SECONDS)
    except StoreUnavailable:
        return shown
    if _status_of(before, now) != shown:
        changed = PresenceChanged(username=username, status=shown)
        # A block ends the friendship, so none of the friends is blocked.
        publish_on_commit([Delivery(sorted(friends_of(account_id)), changed)])
    return shown


def read_presences(account_id: int, usernames: Iterable[str]) -> dict[str, Status]:
    """The status of the people with these names, by the names as given.

    Offline, whatever they are: people who are unknown, suspended, blocked either way, or neither a
    friend nor in a conversation with the account.
    """
    names = list(usernames)
    people = people_named(names)
    shown = {person.account_id for person in people.values() if not person.suspended}
    contacts = contacts_of(account_id).filter(pk__in=shown).values_list("pk", flat=True)
    statuses = _statuses_of(sorted(contacts))
    found = {name: statuses.get(person.account_id) for name, person in people.items()}
    return {name: found.get(normalize_username(name)) or "offline" for name in names}


def forget_presence(account_id: int) -> None:
    """Delete an account's presence without an event."""
    with suppress(StoreUnavailable):
        store().take(_key(account_id))


def _statuses_of(account_ids: list[int]) -> dict[int, Status]:
    now = _now()
    try:
        beats = store().get_many([_key(account_id) for account_id in account_ids])
    except StoreUnavailable:
        return {}
    return {
        account_id: _status_of(beat, now)
        for account_id, beat in zip(account_ids, beats, strict=True)
    }


def _now() -> int:
    """Unix milliseconds."""
    return int(time.time() * 1000)


def _status_of(beat: bytes | None, now: int) -> Status:
    if beat is None:
        return "offline"
    age = now - int(beat)
    if age < IDLE_AFTER_SECONDS * 1000:
        return "online"
    return "idle" if age <= OFFLINE_AFTER_SECONDS * 1000 else "offline"


def _key(account_id: int) -> str:
    return f"presence:{account_id}"
