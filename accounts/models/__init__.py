"""The models of this app."""

from accounts.models.accounts import Account
from accounts.models.erased_people import ErasedPerson, Erasure, RetiredName
from accounts.models.kept_texts import KeptOfPerson, KeptText
from accounts.models.pictures import Picture
from accounts.models.profiles import Profile
from accounts.models.service_sessions import EndedCookiePair, ServiceSession
from accounts.models.suspensions import not_suspended
from accounts.models.warnings import AccountWarning

__all__ = [
    "Account",
    "AccountWarning",
    "EndedCookiePair",
    "ErasedPerson",
    "Erasure",
    "KeptOfPerson",
    "KeptText",
    "Picture",
    "Profile",
    "RetiredName",
    "ServiceSession",
    "not_suspended",
]
