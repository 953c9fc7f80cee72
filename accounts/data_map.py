"""The personal data of this app, and of `stats`."""

from collections.abc import Iterator
from typing import Any

from accounts.models import Account, AccountWarning, KeptText, Picture, ServiceSession
from accounts.personal_data import Document, PersonalData, Table, with_api_names
from accounts.services.erased_people import keep_evidence
from accounts.services.kept_profiles import keep_profile, return_kept
from accounts.services.kept_texts import export_kept_texts

TABLES = [
    Table(
        model="accounts.Account",
        purpose="recognising a person at the next login",
        retention="until it is erased",
        erasure="deleted last",
        personal=[
            "school",
            "upstream_user_id",
            "username",
            "suspended_at",
            "suspended_until",
            "suspension_reason",
            "default_child_id",
            "created_at",
        ],
        withheld={
            "organization_id": "upstream's number of the school, which the profile names",
            "name_key": "the name again, in the form in which names are compared",
        },
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
            "former_user_type",
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
        withheld={
            "search_key": "the names again, in the form that search compares",
            "display_key": "the display name again, in the form in which names are compared",
        },
        technical=["id", "account"],
    ),
    Table(
        model="accounts.Picture",
        purpose="the picture and the cover that others see",
        retention="until it is replaced or removed (then `KeptText`); an hour if it became neither",
        erasure="deleted",
        personal=["kind", "data", "created_at"],
        technical=["name", "account", "width", "height"],
    ),
    Table(
        model="accounts.ServiceSession",
        purpose="keeping a device signed in",
        retention="until the token expires or the person signs out",
        erasure="deleted, and ended upstream",
        personal=["device", "created_at", "last_used_at", "page_kind"],
        withheld={
            "access_token": "a credential for the school's system; encrypted",
            "refresh_token": "a credential for the school's system; encrypted",
            "token_expires_at": "of the access token; encrypted",
            "school": "the account's, stored with the token; encrypted",
            "upstream_user_id": "the account's, stored with the token; encrypted",
            "token_hash": "for look-up; a keyed hash",
            "pair_hash": "for look-up; a keyed hash",
            "previous_pair_hash": "that of the cookies before a refresh, for six hours",
        },
        technical=["id", "account", "previous_pair_until", "renews_until"],
    ),
    Table(
        model="accounts.AccountWarning",
        purpose="warning a person",
        retention="half a year",
        erasure="deleted",
        personal=["public_id", "text", "created_at"],
        technical=["id", "account"],
    ),
    Table(
        model="accounts.KeptText",
        purpose="what others could read or see before it was changed or taken back, for a report",
        retention="14 days after the change",
        erasure="stays, with the profile as it was, linked to the person by a keyed hash only",
        personal=["target_type", "texts", "change", "gone_at"],
        withheld=dict.fromkeys(
            ["person_hash", "person_name", "school"], "of an erased person only"
        ),
        technical=["id", "account", "target_id", "reader"],
    ),
    Table(
        model="accounts.RetiredName",
        purpose="not giving the public name of an erased account to anybody else",
        retention="for ever, as a keyed hash",
        erasure="created by an erasure",
        technical=["name_hash"],
    ),
    Table(
        model="accounts.ErasedPerson",
        purpose="a suspension that an erasure does not end; the person is a keyed hash",
        retention="until the suspension ends, or the person signs in again",
        erasure="created by the erasure of a suspended account, or by staff",
        withheld={
            "suspended_at": "applied to the next account of the person, and exported from there",
            "suspended_until": "the same",
            "suspension_reason": "the same",
        },
        technical=["person_hash"],
    ),
    Table(
        model="accounts.Erasure",
        purpose="erasing people again after a back-up of before was restored",
        retention="400 days; a list beside the back-ups has the same",
        erasure="created by an erasure, with a keyed hash of the person",
        technical=["id", "person_hash", "key_hash", "erased_at"],
    ),
    Table(
        model="accounts.EndedCookiePair",
        purpose="refusing ended sessions and replaced cookies, also when Redis was emptied",
        retention="six hours, as a keyed hash",
        erasure="created by an erasure",
        technical=["pair_hash", "until"],
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
    Table(
        model="stats.Publication",
        purpose="the public statistics as they were published last",
        retention="15 minutes, then replaced",
        erasure="holds nothing about a person",
        technical=["id", "published_at", "totals"],
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
            "suspendedUntil": account.suspended_until,
            "suspensionReason": account.suspension_reason,
            "defaultChild": account.default_child_id and str(account.default_child_id),
        },
    )
    columns = {name: getattr(account.profile, name) for name in PROFILE.personal}
    yield "profile.json", with_api_names(columns)
    for picture in Picture.objects.filter(account_id=account_id):
        name = f"waiting-{picture.name}" if picture.kind == Picture.WAITING else picture.kind
        yield f"pictures/{name}.webp", bytes(picture.data)
    yield "warnings.json", _warnings(account_id)
    yield "earlier-texts.json", export_kept_texts(account_id)
    mine = ServiceSession.objects.filter(account_id=account_id).order_by("created_at")
    logins = mine.values("device", "created_at", "last_used_at")
    yield "logins.json", list(map(with_api_names, logins))


def _warnings(account_id: int) -> list[dict[str, Any]]:
    rows = AccountWarning.objects.filter(account_id=account_id).order_by("-created_at", "-pk")
    return [{"id": row.public_id, "text": row.text, "createdAt": row.created_at} for row in rows]


def erase(account_id: int) -> None:
    """All else is deleted with the account; what others saw of the profile is kept for a report."""
    keep_profile(account_id)
    keep_evidence(KeptText.objects.all(), account_id)


def restore(account_id: int, person_hash: str) -> None:
    return_kept(account_id, person_hash)


PERSONAL_DATA = PersonalData(TABLES, export, erase, restore)
