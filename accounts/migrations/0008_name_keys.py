"""The form in which names are compared, for the names that are there already.

A public name without an address, or that is not normalized, is replaced. A name that looks like an
older one stays. A display name that is blank or looks like somebody else's username is replaced by
the person's own username.
"""

from collections.abc import Iterator
from itertools import count
from typing import Any

from django.db import migrations, models

from accounts.invisible_characters import is_blank
from accounts.name_comparison import KEY_LENGTH, name_key, normalize_for_search
from accounts.services.usernames import TAKEN_BY_ROUTES, public_form


def fill(apps: Any, schema_editor: Any) -> None:
    del schema_editor
    accounts = apps.get_model("accounts", "Account").objects.order_by("pk")
    fields = ("username", "school", "upstream_user_id")
    well_formed: list[Any] = []
    others: list[Any] = []
    for account in accounts.only(*fields).iterator():
        name = account.username
        fits = name == public_form(name) and name not in TAKEN_BY_ROUTES
        (well_formed if fits else others).append(account)
    owners: dict[str, int] = {}
    for account in well_formed:
        key = name_key(account.username)
        account.name_key = _unmatched_key(key, account.pk) if key in owners else key
        owners[account.name_key] = account.pk
        account.save(update_fields=["name_key"])
    for account in others:
        free = (name for name in _usernames(account) if name_key(name) not in owners)
        account.username = next(free)
        account.name_key = name_key(account.username)
        owners[account.name_key] = account.pk
        account.save(update_fields=["username", "name_key"])
    _fill_profiles(apps, owners)


def _unmatched_key(key: str, account_id: int) -> str:
    """A key that no name has, for an account whose name looked like another's before names were
    compared."""
    return f"{key[: KEY_LENGTH - 20]}\n{account_id}"


def _usernames(account: Any) -> Iterator[str]:
    """As at a first login."""
    name = public_form(account.username) or f"user-{account.upstream_user_id}"
    numbered = f"{name}@{account.school}-{account.upstream_user_id}"
    if name not in TAKEN_BY_ROUTES:
        yield name
    yield from (f"{name}@{account.school}", numbered)
    yield from (f"{numbered}-{number}" for number in count(2))


def _fill_profiles(apps: Any, owners: dict[str, int]) -> None:
    profiles = apps.get_model("accounts", "Profile").objects.select_related("account")
    fields = ("display_name", "display_key", "search_key")
    for profile in profiles.only(*fields, "account__username").iterator():
        account, name = profile.account, profile.display_name
        keys = {name_key(name), name_key(name.lower())}
        if is_blank(name) or any(owners.get(key, account.pk) != account.pk for key in keys):
            profile.display_name = account.username[:80].strip()
        profile.display_key = name_key(profile.display_name)
        names = (profile.display_name, account.username)
        profile.search_key = "\n".join(map(normalize_for_search, names))
        profile.save(update_fields=list(fields))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_warnings"),
    ]

    operations = [
        migrations.AddField(
            model_name="account",
            name="name_key",
            field=models.CharField(max_length=500, null=True),
        ),
        migrations.AddField(
            model_name="profile",
            name="display_key",
            field=models.CharField(
                blank=True, db_default="", db_index=True, default="", max_length=500
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="account",
            name="name_key",
            field=models.CharField(max_length=500, null=True, unique=True),
        ),
    ]
