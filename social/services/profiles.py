"""The profiles of other people."""

from typing import Any

from accounts.services.people import Person, person_named
from accounts.services.profile_view import render_profile
from accounts.services.profiles import profile_named
from social.errors import NotThere
from social.models import Block
from social.services.relations import blocked_between


def profile_for(account_id: int, *, username: str) -> dict[str, Any]:
    """What everybody sees of the person with this name; one's own name works too.

    Raises: NotThere, the same for unknown, suspended, and blocked either way.
    """
    # PostgreSQL takes no NUL, and nobody's name has one.
    profile = None if "\0" in username else profile_named(username)
    if profile is None or blocked_between(account_id, profile.account_id):
        raise NotThere
    return render_profile(profile, own=False)


def profile_target(account_id: int, target_id: str) -> dict[str, Any]:
    """A profile as a target of reports, named by its username and kept by its account id.

    Who has blocked somebody, and so sees them in the list of blocks, may still report them.
    Raises: NotThere, for whom the account cannot see.
    """
    person = person_named(target_id)
    if person is None or person.suspended or not _sees(account_id, person):
        raise NotThere
    return {"target_id": str(person.account_id), "subject": person.account_id}


def _sees(account_id: int, person: Person) -> bool:
    if not blocked_between(account_id, person.account_id):
        return True
    return Block.objects.filter(blocker=account_id, blocked=person.account_id).exists()
