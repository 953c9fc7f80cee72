"""Members of staff: their roles and schools, how they sign in, and how they leave.

Staff are Django users, separate from the accounts of the school's people: nothing that upstream
says makes anybody a member of staff.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, Permission, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.registry import staff_roles
from staff.models import StaffDevice, StaffMember
from staff.sessions import end_sessions_of
from upstream.endpoints import is_slug

PASSWORD_BYTES = 15
MODERATOR = "moderator"


class StaffRefused(Exception):
    """Nothing was changed. The text says why, for the operator."""


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What `enrol_staff` does: for a new member everything, for an existing one what is asked.

    `password` and the `otpauth:` URL of the second factor are shown once. A plan has none, and
    neither has an enrolment that only changed the role.
    """

    username: str
    role: str
    schools: list[str]
    user: User | None
    new_secrets: bool
    password: str = field(default="", repr=False)
    otpauth: str = field(default="", repr=False)

    @property
    def role_and_schools(self) -> str:
        """Such as `moderator of bjorkdalen, nyvang`."""
        return described(self.role, self.schools)


def set_roles() -> None:
    """Bring the groups and their permissions in line with the roles that the apps declare."""
    for role, names in staff_roles().items():
        wanted = Q()
        for name in names:
            app, codename = name.split(".")
            wanted |= Q(content_type__app_label=app, codename=codename)
        group, _ = Group.objects.get_or_create(name=role)
        group.permissions.set(Permission.objects.filter(wanted))


def staff_schools(user: Any) -> frozenset[str] | None:
    """The slugs of the schools whose people this member of staff sees; None: of all schools."""
    member = StaffMember.objects.filter(user_id=user.pk).first()
    return frozenset(member.schools) or None if member else None


def schools_of(user: User) -> list[str]:
    return sorted(staff_schools(user) or ())


def role_of(user: User) -> str:
    """The role; several are joined, as for the demo's member of staff."""
    return ", ".join(sorted(group.name for group in user.groups.all()))


def described(role: str, schools: Sequence[str]) -> str:
    if role != MODERATOR:
        return role
    return f"{role} of {', '.join(schools) if schools else 'all schools'}"


def list_staff() -> QuerySet[Any]:
    """The users who are staff by name, superusers too, each with `has_second_factor`."""
    device = StaffDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
    staff = User.objects.filter(is_active=True, is_staff=True).order_by("username")
    return staff.prefetch_related("groups").annotate(has_second_factor=Exists(device))


def _plan_enrolment(
    username: str, role: str | None, schools: Sequence[str], reset: bool, change_role: bool
) -> Enrolment:
    """Raises: StaffRefused."""
    _check_schools(role, schools)
    # Locked, so that a removal at the same moment comes before or after.
    user = User.objects.select_for_update().filter(username__iexact=username).first()
    if user is None:
        _check_name(username)
        return Enrolment(username, role or MODERATOR, sorted(set(schools)), None, new_secrets=True)
    name, now = user.username, role_of(user)
    if user.is_superuser:
        raise StaffRefused(f"{name} is a superuser, whom this command does not change.")
    if not (user.is_active and user.is_staff):
        raise StaffRefused(f"{name} was removed, and the audit log keeps the name. Use another.")
    before = described(now, schools_of(user))
    if not (reset or change_role):
        raise StaffRefused(
            f"{name} is staff already, as {before}. --reset makes a new password and second factor."
        )
    if change_role:
        if role is None:
            raise StaffRefused("--change-role needs --role.")
        return Enrolment(name, role, sorted(set(schools)), user, new_secrets=reset)
    wanted = described(role or now, sorted(set(schools)) or schools_of(user))
    if wanted != before:
        raise StaffRefused(f"{name} is {before}. To make that {wanted}, add --change-role.")
    return Enrolment(name, now, schools_of(user), user, new_secrets=True)


@transaction.atomic
def enrol_staff(
    *,
    username: str,
    role: str | None = None,
    schools: Sequence[str] = (),
    reset: bool = False,
    change_role: bool = False,
    dry_run: bool = False,
) -> Enrolment:
    """Create a member of staff with a role, a password and a second factor.

    A moderator sees the people of these schools, or of all. Of an existing member, `reset` replaces
    the password and the second factor and ends their sessions, `change_role` replaces the role and
    the schools. `dry_run` changes nothing.

    Raises: StaffRefused.
    """
    plan = _plan_enrolment(username, role, schools, reset, change_role)
    if dry_run:
        return plan
    try:
        with transaction.atomic():
            user = plan.user or User.objects.create(username=username, is_staff=True)
    except IntegrityError:
        raise StaffRefused(f"{username} was just created by somebody else.") from None
    user.groups.set([Group.objects.get(name=role_name) for role_name in plan.role.split(", ")])
    StaffMember.objects.update_or_create(user=user, defaults={"schools": plan.schools})
    if not plan.new_secrets:
        return plan
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    validate_password(password, user)
    user.set_password(password)
    user.save()
    end_sessions_of(user.pk)
    StaffDevice.objects.filter(user=user).delete()
    device = StaffDevice.objects.create(user=user, name="app", confirmed=True)
    return replace(plan, password=password, otpauth=device.config_url)


def find_member(username: str) -> User:
    """Raises: StaffRefused if nobody with this name is staff."""
    user = User.objects.filter(username__iexact=username, is_active=True, is_staff=True).first()
    if user is None:
        raise StaffRefused(f"Nobody named {username} is staff.")
    return user


@transaction.atomic
def remove_staff(user_id: int) -> int:
    """End somebody's membership of staff, and their sessions, at once. Returns how many sessions.

    The user stays without password, second factor and role, because the audit log refers to it.
    """
    user = User.objects.select_for_update().get(pk=user_id)
    user.is_active = user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
    StaffDevice.objects.filter(user=user).delete()
    StaffMember.objects.filter(user=user).delete()
    return end_sessions_of(user.pk)


def _check_name(username: str) -> None:
    try:
        User._meta.get_field("username").clean(username, None)
    except ValidationError as error:
        raise StaffRefused(f"{username!r} cannot be a user name: {error.messages[0]}") from None


def _check_schools(role: str | None, schools: Sequence[str]) -> None:
    if schools and role not in (None, MODERATOR):
        raise StaffRefused("Only a moderator can be limited to schools.")
    for school in schools:
        known = settings.UPSTREAM_SCHOOLS
        if not is_slug(school) or (known and school not in known):
            raise StaffRefused(f"{school!r} is not the slug of a school of this service.")
