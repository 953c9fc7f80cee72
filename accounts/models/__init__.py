"""The models of this app."""

from accounts.models.accounts import Account
from accounts.models.audit import AuditEntry
from accounts.models.erased_people import ErasedPerson, RetiredName
from accounts.models.imported_objects import ImportedObject
from accounts.models.jobs import JobWorker, RecurringRun
from accounts.models.outbox import OutboxCall
from accounts.models.pictures import Picture
from accounts.models.profiles import Profile
from accounts.models.service_sessions import ServiceSession
from accounts.models.staff import StaffDevice, StaffMember
from accounts.models.suspensions import not_suspended
from accounts.models.warnings import AccountWarning

__all__ = [
    "Account",
    "AccountWarning",
    "AuditEntry",
    "ErasedPerson",
    "ImportedObject",
    "JobWorker",
    "OutboxCall",
    "Picture",
    "Profile",
    "RecurringRun",
    "RetiredName",
    "ServiceSession",
    "StaffDevice",
    "StaffMember",
    "not_suspended",
]
