"""Encrypted columns: found, bound to their rows, and read after a change of keys."""

from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4

import pytest
from cryptography.fernet import Fernet
from django.apps import apps
from django.db import connection
from django.db.models import BinaryField, TextField
from django.db.models.functions import Cast
from django.test import Client
from encrypted_model_fields.fields import EncryptedMixin
from pytest_django.fixtures import Settings

from accounts.encryption import SecretTextField, SecretUnreadable
from accounts.models import Account
from accounts.services.key_rotation import encrypted_columns, rotate_secrets, sample_of_keys
from notifications.models import PushSubscription
from tests.accounts.encrypted_rows import make_rows, read_by_clients, values
from tests.conftest import Caller
from tests.staff.conftest import sign_in, token_of
from upstream.simulator.server import Simulator

NEW_KEY = Fernet.generate_key().decode()
# Columns of bytes whose contents everybody may see.
NOT_ENCRYPTED = {"accounts.Picture.data"}
# Evidence, and what staff read about a case, belong to no account.
OF_CASES = {"Report", "Case", "CaseAction", "KeptText", "PastMembership", "GroupTextAuthor"}


@pytest.fixture
def password(elsa: Caller, bo: Caller, simulator: Simulator) -> str:
    """Elsa and the staff have something in every encrypted column. Returns a staff password."""
    password = make_rows(elsa, bo)
    simulator.faults.set("lessons", "500")  # from now on, only what is stored can be read
    return password


def add_key(settings: Settings) -> None:
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY, *settings.FIELD_ENCRYPTION_KEYS]


def columns() -> set[str]:
    return {f"{model._meta.label}.{field.name}" for model, field in encrypted_columns()}


def stored_ciphertexts() -> set[str]:
    """Every column of the database in which something encrypted stands."""
    found = set()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            kind = BinaryField() if field.get_internal_type() == "BinaryField" else TextField()
            rows = model._base_manager.annotate(as_stored=Cast(field.attname, kind))
            for value in rows.values_list("as_stored", flat=True):
                text = value.encode() if isinstance(value, str) else bytes(value or b"")
                if text.startswith(b"gAAAA"):
                    found.add(f"{model._meta.label}.{field.name}")
    return found


def test_no_column_of_bytes_is_unknown_to_rotation() -> None:
    """One that is filled by `seal` would be unreadable when its key is gone."""
    bytes_columns = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.get_internal_type() == "BinaryField"
    }
    assert bytes_columns - columns() <= NOT_ENCRYPTED


def test_this_test_has_a_row_of_every_model_with_an_encrypted_column(password: str) -> None:
    assert stored_ciphertexts() == columns()
    empty = {name.split(" ")[0] for name, value in values().items() if value is None}
    filled = {name.split(" ")[0] for name, value in values().items() if value is not None}
    assert empty - filled == set()


def test_everything_is_read_after_the_old_key_is_gone(
    password: str, elsa: Caller, settings: Settings
) -> None:
    before, shown = values(), read_by_clients(elsa)
    add_key(settings)
    planned, rotated = rotate_secrets(dry_run=True), rotate_secrets()
    assert planned.rotated == rotated.rotated == rotated.seen
    assert rotated.remaining == 0
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY]
    assert values() == before
    assert read_by_clients(elsa) == shown
    assert sign_in(Client(), "moa", password, token_of("moa")).status_code == 302


def test_what_no_key_opens_is_counted_and_kept(password: str, settings: Settings) -> None:
    old, settings.FIELD_ENCRYPTION_KEYS = settings.FIELD_ENCRYPTION_KEYS, [NEW_KEY]
    rotated = rotate_secrets()
    assert rotated.unreadable == rotated.seen > 20
    assert sample_of_keys(connection, limit=100).unreadable == rotated.seen
    settings.FIELD_ENCRYPTION_KEYS = old
    assert rotate_secrets().remaining == 0


def give_to_another(row: Any) -> None:
    """As if somebody had copied the row, or its values, to another account."""
    owners = {"account_id": 999_999, "user_id": 999_999, "note_id": uuid4()}
    for owner in owners.keys() & vars(row).keys():
        setattr(row, owner, owners[owner])
    if isinstance(row.pk, UUID):
        row.pk = uuid4()


def read_by_another_account() -> set[str]:
    """The columns that can be read after a row was given to another account."""
    readable = set()
    for model, field in encrypted_columns():
        for row in model._base_manager.exclude(**{field.attname: None}):
            give_to_another(row)
            with suppress(SecretUnreadable):
                getattr(row, field.attname)
                readable.add(f"{model._meta.label}.{field.name}")
    return readable


def test_a_value_in_another_row_is_unreadable(password: str) -> None:
    assert {name.split(".")[1] for name in read_by_another_account()} == OF_CASES


def test_a_bound_column_cannot_be_written_without_its_row(elsa: Caller) -> None:
    with pytest.raises(TypeError):
        Account.objects.get().sessions.update(access_token="plain")


def test_a_row_is_written_again_without_the_key(password: str, settings: Settings) -> None:
    """What nobody has read stays as it is."""
    old, settings.FIELD_ENCRYPTION_KEYS = settings.FIELD_ENCRYPTION_KEYS, [NEW_KEY]
    row = PushSubscription.objects.get()
    row.device = "Telefon"
    row.save()
    settings.FIELD_ENCRYPTION_KEYS = old
    assert PushSubscription.objects.get().read_browser() is not None


def test_the_field_is_the_only_way_to_an_encrypted_column() -> None:
    kinds = {
        type(field)
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, EncryptedMixin)
    }
    assert kinds == {SecretTextField}
