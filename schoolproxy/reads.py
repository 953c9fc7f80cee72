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
class CacheEntry:
    """Where an answer is in the cache, and how long it is fresh (0: nothing is stored) and is
    stored. `owner` is an account, or a school that shares the answer.

    `name` has the owner, the key and the child. The answer is sealed for it, so that it can never
    be opened as another child's.
    """

    owner: str
    name: str
    fresh_seconds: int
    stored_seconds: int
    school_wide: bool


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
    `counter` is the fact that a request for this answer adds to the statistics. `after_fetch` is
    called with the fields after each fetch, once the answer is proven to be about the child; the
    watch compares it there. Without `for_teachers` a teacher is refused before any call. Where the
    school has switched `feature` off, the answer is an error. `fresh_seconds` is how long a
    personal answer is fresh, if not as long as others.
    """

    key: str
    fetch: Callable[[ProvenSession], Fields]
    school_wide: bool = False
    counter: Fact | None = None
    after_fetch: Callable[[Caller, ChosenChild | None, Fields], None] | None = None
    for_teachers: bool = True
    feature: str | None = None
    fresh_seconds: int | None = None

    def entry(self, caller: Caller, child: ChosenChild | None) -> CacheEntry:
        """Where the answer to this caller is: personal, or for everyone at the school.

        Several schools may share a slug, so the owner also has the number of the school in
        upstream's session answer. Without that number, and for a guardian (whose child decides
        which school it is), the answer is personal.
        """
        organization_id = caller.upstream.organization_id
        if self.school_wide and organization_id is not None and caller.role != "guardian":
            owner = f"school-{caller.school}-{organization_id}"
            fresh, stored = SCHOOL_FRESH_SECONDS, SCHOOL_STALE_SECONDS
            return CacheEntry(owner, f"{owner}:{self.key}", fresh, stored, school_wide=True)
        owner = f"account-{caller.account_id}"
        name = f"{owner}:{self.key}" if child is None else f"{owner}:{self.key}:{child.key}"
        fresh = settings.SCHOOL_CACHE_SECONDS
        if fresh and self.fresh_seconds is not None:
            fresh = self.fresh_seconds
        return CacheEntry(owner, name, fresh, max(fresh, STALE_SECONDS), school_wide=False)
