"""The personal data of this app, and of `stats`."""

from collections.abc import Iterator

from accounts.models import Account, AccountWarning, Picture, ServiceSession
from accounts.models.service_sessions import SECRETS
from accounts.personal_data import Document, PersonalData, Table

TABLES = [
    Table(
        model="accounts.Account",
        purpose="recognising a person at the next login",
        retention="until it is erased",
        erasure="deleted last",
        personal=["school", "upstream_user_id", "username", "suspended_at", "created_at"],
        technical=["id", "erasure_started_at"],
    ),
    Table(
        model="accounts.Profile",
        purpose="what others see, and who may write to the person",
        retention="with the account; names follow the school's system",
        erasure="deleted",
        personal=[
            "first_name",
            "last_name",
            "email",
            "school_name",
            "user_type",
            "display_name",
            "bio",
            "pronouns",
            "location",
            "website",
            "accent_color",
            "github",
            "twitter",
            "instagram",
            "linkedin",
            "dm_privacy",
            "discoverable",
            "created_at",
            "updated_at",
        ],
        withheld={"search_key": "the names again, in the form that search compares"},
        technical=["id", "account"],
    ),
    Table(
        model="accounts.Picture",
        purpose="the picture and the cover that others see",
        retention="until it is replaced or removed",
        erasure="deleted",
        personal=["kind", "data", "created_at"],
        technical=["name", "account", "width", "height"],
    ),
    Table(
        model="accounts.ServiceSession",
        purpose="keeping a device signed in",
        retention="until the token expires or the person signs out",
        erasure="deleted, and ended upstream",
        personal=["device", "created_at", "last_used_at"],
        withheld={
            "access_token": "a credential for the school's system; encrypted",
            "refresh_token": "a credential for the school's system; encrypted",
            "token_expires_at": "of the access token; encrypted",
            "school": "the account's, stored with the token; encrypted",
            "upstream_user_id": "the account's, stored with the token; encrypted",
            "token_hash": "for look-up; a keyed hash",
            "pair_hash": "for look-up; a keyed hash",
            "previous_pair_hash": "for look-up; a keyed hash",
        },
        technical=["id", "account", "previous_pair_until"],
    ),
    Table(
        model="accounts.AccountWarning",
        purpose="warning a person",
        retention="half a year",
        erasure="deleted",
        personal=["reason", "created_at"],
        technical=["id", "account"],
    ),
    Table(
        model="accounts.RetiredName",
        purpose="not giving the public name of an erased account to anybody else",
        retention="for ever, as a keyed hash",
        erasure="created by an erasure",
        technical=["name_hash"],
    ),
    # `stats` imports no app, so its tables are described here.
    Table(
        model="stats.Counter",
        purpose="how often something happened",
        retention="for ever",
        erasure="holds nothing about a person",
        technical=["id", "name", "value"],
    ),
    Table(
        model="stats.Bucket",
        purpose="the buckets of the public statistics",
        retention="for ever; contributors only until there are ten",
        erasure="a salted hash may stay, which cannot be matched with anything outside its row",
        withheld={"contributors": "salted hashes of at most nine accounts"},
        technical=["id", "histogram", "bucket", "value", "enough"],
    ),
]
PROFILE = TABLES[1]


def export(account_id: int) -> Iterator[Document]:
    """The account, its profile, pictures, warnings and logins."""
    account = Account.objects.select_related("profile").get(pk=account_id)
    yield (
        "account.json",
        {
            "username": account.username,
            "school": account.school,
            "upstreamUserId": account.upstream_user_id,
            "createdAt": account.created_at,
            "suspendedAt": account.suspended_at,
        },
    )
    yield "profile.json", {name: getattr(account.profile, name) for name in PROFILE.personal}
    for picture in Picture.objects.filter(account_id=account_id):
        yield f"pictures/{picture.kind}.webp", bytes(picture.data)
    warnings = AccountWarning.objects.filter(account_id=account_id).order_by("created_at")
    yield "warnings.json", list(warnings.values("reason", "created_at"))
    logins = ServiceSession.objects.filter(account_id=account_id).defer(*SECRETS)
    yield (
        "logins.json",
        [
            {"device": one.device, "createdAt": one.created_at, "lastUsedAt": one.last_used_at}
            for one in logins.order_by("created_at")
        ],
    )


def erase(account_id: int) -> None:
    """Delete the pictures. The profile and the logins are deleted with the account."""
    Picture.objects.filter(account_id=account_id).delete()


PERSONAL_DATA = PersonalData(TABLES, export, erase)
