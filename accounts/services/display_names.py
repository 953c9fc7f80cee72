"""Which display names a person may have: nobody passes for somebody else.

Display names may repeat. Nobody has another account's public name. Pupils and guardians have no
word for an office, and a pupil has no real name of a member of staff of the own school. Words of
one's own real name are always allowed.
"""

from collections.abc import Iterable

from accounts.models import Account, Profile
from accounts.name_comparison import name_key
from accounts.office_words import is_made_of, letters_of, names_an_office
from accounts.real_names import NAME_LENGTH, full_name
from upstream.records import UpstreamSession


def is_username_of_another(name: str, account_id: int) -> bool:
    """Whether `name` looks like the public name of another account, as written or in lower case."""
    keys = {name_key(name), name_key(name.lower())}
    return Account.objects.filter(name_key__in=keys).exclude(pk=account_id).exists()


def default_display_name(person: Profile | UpstreamSession, account: Account) -> str:
    """The name at school, or the username if that name is none or looks like somebody else's
    username."""
    name = full_name(person.first_name, person.last_name)
    if not name or is_username_of_another(name, account.pk):
        return account.username[:NAME_LENGTH].strip()
    return name


def passes_for_staff(name: str, profile: Profile, *, staff: Iterable[str] | None = None) -> bool:
    """Whether a display name would let this person pass for somebody who works at the school.

    `staff`: `letters_of_staff` of the school, if that is known already. One query at most.
    """
    own_name = profile.real_name
    if profile.user_type == "teacher" or is_made_of(name, own_name):
        return False
    if names_an_office(name, own_name=own_name):
        return True
    if profile.user_type != "student":
        return False
    if staff is None:
        staff = letters_of_staff(profile.account.school)
    return not letters_of(name).isdisjoint(staff)


def letters_of_staff(school: str) -> set[str]:
    """The real names of a school's staff, in the form of `letters_of`."""
    staff = Profile.objects.filter(account__school=school, user_type="teacher")
    names = staff.values_list("first_name", "last_name")
    return {letters for name in names for letters in letters_of(full_name(*name))}
