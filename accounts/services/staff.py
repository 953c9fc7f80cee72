"""Members of staff: their roles and how they sign in.

Staff are Django users, separate from the accounts of the school's people: nothing that upstream
says makes anybody a member of staff.
"""

import secrets
from dataclasses import dataclass, field

from django.contrib.auth.models import Group, Permission, User
from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.db.models import Q
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.registry import staff_roles

PASSWORD_BYTES = 15


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What a new member of staff needs, shown once: the password and the `otpauth:` URL."""

    username: str
    password: str = field(repr=False)
    otpauth: str = field(repr=False)


def set_roles() -> None:
    """Bring the groups and their permissions in line with the roles that the apps declare."""
    for role, names in staff_roles().items():
        wanted = Q()
        for name in names:
            app, codename = name.split(".")
            wanted |= Q(content_type__app_label=app, codename=codename)
        group, _ = Group.objects.get_or_create(name=role)
        group.permissions.set(Permission.objects.filter(wanted))


@transaction.atomic
def enrol_staff(*, username: str, role: str, reset: bool = False) -> Enrolled | None:
    """Create a member of staff with one role, a password and a second factor.

    Returns None when the name is taken, unless `reset`: then the password, the second factor and
    the role are replaced. A new password also ends their open sessions.
    """
    user, created = User.objects.get_or_create(username=username, defaults={"is_staff": True})
    if not created and not reset:
        return None
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    validate_password(password, user)
    user.set_password(password)
    user.is_staff, user.is_active, user.is_superuser = True, True, False
    user.save()
    user.groups.set([Group.objects.get(name=role)])
    TOTPDevice.objects.filter(user=user).delete()
    device = TOTPDevice.objects.create(user=user, name="app", confirmed=True)
    return Enrolled(username, password, device.config_url)
