"""The people who keep the service and its users safe: their roles and how they sign in.

Staff are Django users, apart from the accounts of the school's people: nobody becomes staff by
anything that upstream says.
"""

import secrets
from dataclasses import dataclass, field

from django.contrib.auth.models import Group, Permission, User
from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.db.models import Q
from django_otp.plugins.otp_totp.models import TOTPDevice

PASSWORD_BYTES = 15

# What each role may do, and nothing more. `migrate` sets it.
ROLES: dict[str, tuple[str, ...]] = {
    "moderator": (
        "social.view_report",
        "social.change_report",
        "social.view_conversation",
        "social.view_invite",
        "accounts.view_account",
        "accounts.view_profile",
        "notes.view_sharelink",
        "notes.view_countdown",
    ),
    "operator": (
        "accounts.view_account",
        "accounts.view_auditentry",
        "accounts.view_servicesession",
    ),
}


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What a new member of staff needs, shown once: password, and the second factor's address."""

    username: str
    password: str = field(repr=False)
    otpauth: str = field(repr=False)


def set_roles() -> None:
    """Make the groups what `ROLES` says. Safe to run at any time."""
    for role, names in ROLES.items():
        wanted = Q()
        for name in names:
            app, codename = name.split(".")
            wanted |= Q(content_type__app_label=app, codename=codename)
        group, _ = Group.objects.get_or_create(name=role)
        group.permissions.set(Permission.objects.filter(wanted))


@transaction.atomic
def enrol_staff(*, username: str, role: str, reset: bool = False) -> Enrolled | None:
    """A member of staff with one role, a new password and a new second factor.

    None: there is one of this name already, and `reset` was not asked for. A reset also ends the
    sessions that they have, because the password is part of them.
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
