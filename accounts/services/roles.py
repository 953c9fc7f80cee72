"""The role of a person: `Profile.user_type` is the one copy of it, and upstream's newest session
answer says what it is."""

from django.db import transaction

from accounts.models import Account, Profile
from accounts.services.profiles import change_profile, locked_profile
from upstream.records import Role, UpstreamSession


def keep_role(account: Account, answer: UpstreamSession) -> None:
    """Give the account the role of an answer that was accepted. Other apps act on a new one in the
    same transaction. Raises: NotSignedIn, where the account is erased."""
    if Profile.objects.filter(account=account).exclude(user_type=answer.role).exists():
        with transaction.atomic():
            change_profile(locked_profile(account.pk), {"user_type": answer.role})


def had_role(account_id: int, role: Role | None) -> bool:
    """Whether this was the account's role until it got the present one."""
    former = Profile.objects.filter(account=account_id).values_list("former_user_type", flat=True)
    return role is not None and role == former.first()
