"""The demo's member of staff, with a known password and second factor, and an open report."""

from uuid import UUID

from django.contrib.auth.models import Group, User
from django.db import transaction
from django_otp.oath import totp

from accounts.registry import staff_roles
from accounts.services.people import person_named
from social.access import membership_of
from social.models import Report
from social.services.conversations.direct import open_dm
from social.services.messages.read import latest_messages
from social.services.reports import report
from staff.models import StaffDevice, StaffMember
from staff.services.members import set_roles

NAME = "moa"
PASSWORD = "moa-demo-staff"  # noqa: S105 - printed by the demo
_KEY = "6d6f612064656d6f206b6579206f6b21"


@transaction.atomic
def create_demo_staff() -> None:
    """Create Moa with every role, unless she exists, and a report unless there is one."""
    set_roles()
    user, created = User.objects.get_or_create(username=NAME, defaults={"is_staff": True})
    if created:
        user.set_password(PASSWORD)
        user.save()
        user.groups.set(Group.objects.filter(name__in=staff_roles()))
        StaffMember.objects.create(user=user)
        StaffDevice.objects.create(user=user, name="app", key=_KEY)
    if not Report.objects.exists():
        _report_a_message()


def code() -> str:
    """The code of her authenticator app now: valid for half a minute, once."""
    return f"{totp(bytes.fromhex(_KEY)):06d}"


def _report_a_message() -> None:
    elsa = person_named("elsa.nordvall")
    if elsa is None:
        return
    dm, _ = open_dm(account_id=elsa.account_id, target_username="bo.ek")
    messages = latest_messages(membership_of(elsa.account_id, UUID(dm["id"])))
    theirs = [message for message in messages if message["senderUsername"] == "bo.ek"]
    if theirs:
        report(
            elsa.account_id,
            kind="message",
            target_id=theirs[-1]["id"],
            reason="other",
            text="An example of a report.",
        )
