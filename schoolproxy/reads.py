"""How a route of school data is declared: one `SchoolRead` for each question to upstream."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from accounts.callers import Caller
from schoolproxy.limits import SCHOOL_FRESH_SECONDS, SCHOOL_STALE_SECONDS, STALE_SECONDS
from stats.facts import Fact
from upstream.records import ChosenChild, ProvenSession

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CacheScope:
    """Who shares a cache entry, and how long it is fresh (0: nothing is stored) and is stored."""

    owner: str
    fresh_seconds: int
    stored_seconds: int
    school_wide: bool = False


@dataclass(frozen=True, slots=True)
class ChildChoice:
    """The child and school that a guardian's request names: upstream's numbers, or None."""

    child_id: int | None = None
    org_id: int | None = None


@dataclass(frozen=True, slots=True)
class SchoolRead:
    """One question to upstream, with the answer's name in the cache.

    `key` names everything that the answer depends on, except its owner and the child. `fetch`
    returns the fields of the answer; it may raise `SessionDead`, and is then called again with a
    new web session. `school_wide` says that the answer is the same for everyone at a school.
    `counter` is the fact that a request for this answer adds to the statistics. `choice` is the
    child that the request names. `after_fetch` is called with the fields after each fetch, once
    the answer is proven to be about the child; the watch compares it there.
    """

    key: str
    fetch: Callable[[ProvenSession], Fields]
    school_wide: bool = False
    counter: Fact | None = None
    choice: ChildChoice = ChildChoice()
    after_fetch: Callable[[Caller, ChosenChild | None, Fields], None] | None = None

    def scope(self, caller: Caller) -> CacheScope:
        """The scope of the answer to this caller: personal, or for everyone at the school.

        Several schools may share a slug, so the owner also has the number of the school in
        upstream's session answer. Without that number, and for a guardian (whose child decides
        which school it is), the scope is personal.
        """
        organization_id = caller.upstream.organization_id
        if not self.school_wide or organization_id is None or caller.role == "guardian":
            owner = f"account-{caller.account_id}"
            return CacheScope(owner, settings.SCHOOL_CACHE_SECONDS, STALE_SECONDS)
        owner = f"school-{caller.school}-{organization_id}"
        return CacheScope(owner, SCHOOL_FRESH_SECONDS, SCHOOL_STALE_SECONDS, school_wide=True)

    def entry_name(self, caller: Caller, child: ChosenChild | None) -> str:
        """The name of the cache entry, and what it is sealed for: owner, key and child, so that it
        can never be opened as another child's."""
        name = f"{self.scope(caller).owner}:{self.key}"
        return name if child is None else f"{name}:{child.key}"
