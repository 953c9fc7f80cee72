"""Who is there: the last heartbeat of each account in the store, and nothing in the database.

What is shown goes by its age alone, as the specification says: an `idle` heartbeat is a heartbeat.
A heartbeat overwrites one key, in one round trip; friends hear of it only when it changes what
they are shown. Growing idle is not told: nobody did anything, and who reads sees it. Presence is a
hint: without the store heartbeats go nowhere, and everybody is shown as offline.
"""

import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Literal

from accounts.errors import StoreUnavailable
from accounts.services.people import people_named
from accounts.stores import store
from social.limits import IDLE_AFTER_SECONDS, OFFLINE_AFTER_SECONDS
from social.realtime.events import PresenceChanged
from social.realtime.publish import ToAccounts, publish_on_commit
from social.services.relations import blocked_among, friends_of

Status = Literal["online", "idle", "offline"]
STATUSES: tuple[Status, ...] = ("online", "idle", "offline")
# Kept for a little longer than it counts, so that the age decides and not the store's clock.
_KEPT_SECONDS = OFFLINE_AFTER_SECONDS + 60


def beat(account_id: int, username: str, status: Status = "online") -> Status:
    """Take a heartbeat, or the end of presence (`offline`); how the account is shown from now on.

    Friends hear of a change. May be called from any thread, with or without a request.
    """
    now = _now()
    shown: Status = "offline" if status == "offline" else "online"
    try:
        before = _forget(account_id) if shown == "offline" else _keep(account_id, now)
    except StoreUnavailable:
        return shown
    if _status_of(before, now) != shown:
        changed = PresenceChanged(username=username, status=shown)
        # A block ends the friendship: none of them is blocked.
        publish_on_commit([ToAccounts(sorted(friends_of(account_id)), changed)])
    return shown


def read_presences(account_id: int, usernames: Iterable[str]) -> dict[str, Status]:
    """How the people with these names are shown to an account, each under the name as asked.

    Unknown, suspended and blocked people, either way, are offline.
    """
    asked = list(usernames)
    people = people_named(asked)
    shown = {person.account_id for person in people.values() if not person.suspended}
    shown -= blocked_among(account_id, shown)
    statuses = _statuses_of(sorted(shown))
    found = {name: statuses.get(person.account_id) for name, person in people.items()}
    return {name: found.get(name.lower()) or "offline" for name in asked}


def forget_presence(account_id: int) -> None:
    """Nothing is left of an account's presence; nobody is told."""
    with suppress(StoreUnavailable):
        _forget(account_id)


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


def _keep(account_id: int, now: int) -> bytes | None:
    return store().swap(_key(account_id), b"%d" % now, _KEPT_SECONDS)


def _forget(account_id: int) -> bytes | None:
    return store().take(_key(account_id))


def _key(account_id: int) -> str:
    return f"presence:{account_id}"
