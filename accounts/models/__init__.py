"""The models of this app."""

from accounts.models.accounts import Account
from accounts.models.audit import AuditEntry
from accounts.models.pictures import Picture
from accounts.models.profiles import Profile
from accounts.models.retired_names import RetiredName
from accounts.models.service_sessions import ServiceSession
from accounts.models.warnings import AccountWarning

__all__ = [
    "Account",
    "AccountWarning",
    "AuditEntry",
    "Picture",
    "Profile",
    "RetiredName",
    "ServiceSession",
]
