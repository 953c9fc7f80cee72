"""Public names: which one an account gets, and which one gives way.

Whoever signs in goes before an account that an import made and nobody has claimed: its name comes
from a file, in which anybody may have chosen it.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.errors import SchoolUnknown
from accounts.models import Account, Profile, RetiredName
from accounts.name_comparison import name_key
from accounts.public_names import TAKEN_BY_ROUTES, public_form
from accounts.registry import contributions
from accounts.services.profiles import (
    announce_profile_change,
    change_profile,
    is_username_of_another,
    locked_profile,
)
from accounts.services.schools import known_school
from upstream.records import UpstreamSession

# Candidates without a number after them.
_UNNUMBERED = 2


class NameRetired(Exception):
    """An erased account had this name."""


def is_display_name(username: str) -> bool:
    """Whether somebody's display name looks like this name."""
    return Profile.objects.filter(display_key=name_key(username)).exists()


@transaction.atomic
def rename_unclaimed_holder(school: str, answer: UpstreamSession, *, own: int = 0) -> None:
    """Rename the unclaimed account that has the name of the person who signs in. `own` is theirs,
    if an import made it.

    Locks these accounts by id, as two people can have each other's names.
    """
    best = list(islice(usernames(school, answer), _UNNUMBERED))
    keys = [name_key(username) for username in best]
    held = Q(name_key__in=keys, unclaimed_since__isnull=False) | Q(pk=own)
    if not Account.objects.filter(held).exclude(pk=own).exists():
        return
    locked = Account.objects.select_for_update(no_key=True).filter(held).order_by("pk")
    holders = {account.name_key: account for account in locked}
    for username, key in zip(best, keys, strict=True):
        holder = holders.get(key)
        if holder is not None:
            if holder.pk != own:
                before = holder.username
                rename(holder, _numbered(holder))
                update_profile_after_rename(holder, before)
            return
        if not (Account.objects.filter(name_key=key).exists() or RetiredName.holds(username)):
            return


def rename(account: Account, names: Iterable[str]) -> None:
    """Give a locked account the first of these names that is free."""
    for username in names:
        if username == account.username:
            return
        try:
            with transaction.atomic():
                account.username, account.name_key = username, name_key(username)
                account.save(update_fields=["username", "name_key"])
                if RetiredName.holds(username):
                    raise NameRetired
        except (IntegrityError, NameRetired):
            continue
        for app in contributions().values():
            app.renamed(account.pk)
        announce_profile_change(account.pk)
        return
    raise RuntimeError("no username was free")


def update_profile_after_rename(
    account: Account, before: str, values: Mapping[str, str] | None = None
) -> None:
    """Change the profile of a locked account whose public name was `before`: with these columns,
    and without a display name that was only the old name or is somebody else's by now."""
    profile = locked_profile(account.pk)
    shown = profile.display_name
    was_name = account.username != before and name_key(shown) == name_key(before)
    if was_name or is_username_of_another(shown, account.pk):
        shown = ""
    change_profile(profile, {"display_name": shown, **(values or {})})


def _numbered(account: Account) -> Iterator[str]:
    """Names for an account that gives way."""
    name, at_school = account.username, f"@{account.school}"
    if at_school not in name:
        name += at_school
        yield name
    numbered = f"{name}-{account.upstream_user_id}"
    yield from (numbered, *(f"{numbered}-{number}" for number in range(2, 100)))


def usernames(school: str, answer: UpstreamSession) -> Iterator[str]:
    """Candidates for the public name of the person whom `answer` names, best first."""
    name = public_form(answer.user_name) or f"user-{answer.user_id}"
    if name not in TAKEN_BY_ROUTES and not _names_another_school(name, school):
        yield name
    numbered = f"{name}@{school}-{answer.user_id}"
    yield from (f"{name}@{school}", numbered)
    yield from (f"{numbered}-{number}" for number in range(2, 100))


def _names_another_school(name: str, school: str) -> bool:
    """Whether a name has another school's slug after an @, as written or with a number after it:
    it belongs to a person of that school, who may not have signed in yet."""
    for part in name_key(name).split("@")[1:]:
        words = part.rstrip(" .'").split("-")
        slugs = {"-".join(words[:count]) for count in range(1, len(words) + 1)}
        if any(_is_school(slug) for slug in slugs - {school}):
            return True
    return False


def _is_school(slug: str) -> bool:
    try:
        known_school(slug)
    except SchoolUnknown:
        return False
    return True
