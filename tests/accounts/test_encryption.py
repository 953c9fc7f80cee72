"""Encrypted columns, sealed data, keyed hashes, and secrets in a `repr`."""

from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.db import connection
from django.db.models import F, Value
from django.db.models.functions import Concat
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

import store
from accounts.cookies import Credential, pair_hash, token_hash
from accounts.encryption import SecretUnreadable, keyed_hash, seal, unseal, values_for_update
from accounts.models import ServiceSession
from accounts.services.identity import identify
from accounts.services.login import log_in
from accounts.services.refresh import refresh
from accounts.services.sign_in import LoginSource, SignedIn
from accounts.session_cache import decode, read
from tests.conftest import Caller, signed_in
from upstream.records import WebSession
from upstream.simulator.server import Simulator

NEW_KEY = Fernet.generate_key().decode()


def column(name: str) -> str:
    """The stored value, not decrypted."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {name} FROM accounts_servicesession")
        return str(cursor.fetchone()[0])


def test_a_column_holds_ciphertext_and_the_model_plain_text(elsa: Caller) -> None:
    record = ServiceSession.objects.get()
    token = record.access_token
    assert token.count(".") == 2
    assert token not in column("access_token")
    assert column("access_token").startswith("gAAAA")
    assert (record.refresh_token, column("refresh_token")) == (None, "None")


def test_a_row_that_is_saved_stores_the_given_value(elsa: Caller) -> None:
    record = ServiceSession.objects.get()
    record.access_token = "another"
    record.save()
    assert ServiceSession.objects.get().access_token == "another"


def test_update_encrypts_for_a_row_and_leaves_expressions_alone(elsa: Caller) -> None:
    record = ServiceSession.objects.get()
    record.access_token = "plain"
    ServiceSession.objects.update(**values_for_update(record, "access_token"))
    assert column("access_token").startswith("gAAAA")
    assert ServiceSession.objects.get().access_token == "plain"
    stored = column("access_token")
    ServiceSession.objects.update(access_token=F("access_token"))
    assert column("access_token") == stored
    ServiceSession.objects.update(refresh_token=Concat(F("access_token"), Value("")))
    assert column("refresh_token") == stored


def test_ciphertext_that_somebody_types_is_not_decrypted(elsa: Caller) -> None:
    stolen = column("access_token")
    record = ServiceSession.objects.get()
    record.refresh_token = stolen
    record.clean_fields(exclude=["account", "previous_pair_hash", "previous_pair_until"])
    record.save()
    assert ServiceSession.objects.get().refresh_token == stolen


def test_the_first_key_encrypts_and_all_decrypt(elsa: Caller, settings: Settings) -> None:
    old = settings.FIELD_ENCRYPTION_KEYS[0]
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY, old]
    record = ServiceSession.objects.get()
    token = record.access_token
    assert elsa.get("/api/session").status_code == 200
    record.save()
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY]
    assert ServiceSession.objects.get().access_token == token


def test_a_lost_key_fails_loudly(elsa: Caller, settings: Settings) -> None:
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY]
    record = ServiceSession.objects.get()
    with pytest.raises(SecretUnreadable) as caught:
        str(record.access_token)
    assert str(caught.value).startswith("ServiceSession.")
    assert "gAAAA" not in repr(caught.value.__context__)


def test_a_row_copied_onto_another_account_is_unreadable(elsa: Caller) -> None:
    signed_in("bo.ek")
    mine = ServiceSession.objects.get(account__username="elsa.nordvall")
    theirs = ServiceSession.objects.get(account__username="bo.ek")
    names = ("access_token", "school", "token_expires_at")
    stored = ServiceSession.objects.filter(pk=theirs.pk).values(*names).get()
    ServiceSession.objects.filter(pk=mine.pk).update(**stored)
    copied = ServiceSession.objects.get(pk=mine.pk)
    for name in names:
        with pytest.raises(SecretUnreadable):
            getattr(copied, name)
    assert elsa.post("/api/token").status_code == 401


@given(data=st.binary(max_size=200), context=st.text(max_size=40))
def test_sealed_data_is_unsealed_for_the_same_purpose_and_context_only(
    data: bytes, context: str
) -> None:
    sealed = seal("one purpose", context, data)
    assert data == b"" or len(data) < 4 or data not in sealed
    assert unseal("one purpose", context, sealed) == data
    assert unseal("another purpose", context, sealed) is None
    assert unseal("one purpose", context + "x", sealed) is None
    assert unseal("one purpose", context, sealed[:-1]) is None
    assert unseal("one purpose", context, sealed[:-1] + bytes([sealed[-1] ^ 1])) is None


@pytest.mark.parametrize("sealed", [None, b"", b"x", b"x" * 4, b"x" * 16, b"x" * 100])
def test_data_that_was_not_sealed_is_not_unsealed(sealed: bytes | None) -> None:
    assert unseal("purpose", "context", sealed) is None


def test_sealed_data_survives_a_key_rotation(settings: Settings) -> None:
    old = settings.FIELD_ENCRYPTION_KEYS[0]
    sealed = seal("purpose", "context", b"data")
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY, old]
    assert unseal("purpose", "context", sealed) == b"data"
    fresh = seal("purpose", "context", b"data")
    settings.FIELD_ENCRYPTION_KEYS = [NEW_KEY]
    assert unseal("purpose", "context", fresh) == b"data"
    assert unseal("purpose", "context", sealed) is None


def test_sealing_twice_gives_different_bytes() -> None:
    assert seal("purpose", "context", b"data") != seal("purpose", "context", b"data")


def test_a_cached_session_cannot_be_decrypted_for_another_credential(elsa: Caller) -> None:
    elsa.get("/api/session")
    own = pair_hash(WebSession(elsa.cookies["jsessionid"], elsa.cookies["hash"]))
    assert read(own) is not None
    assert decode(store.get(f"session:{own}"), "f" * 64) is None


def test_a_keyed_hash_depends_on_purpose_parts_and_key(settings: Settings) -> None:
    first = keyed_hash("a", "b", "c")
    assert first == keyed_hash("a", "b", "c")
    assert len(first) == 64
    assert len({first, keyed_hash("x", "b", "c"), keyed_hash("a", "bc"), keyed_hash("a", "c")}) == 4
    settings.SECRET_KEY = "another " + "y" * 40
    assert keyed_hash("a", "b", "c") != first


def sign_in_here() -> SignedIn:
    return log_in(
        username="Elsa.Nordvall",
        password="elsa-demo",
        school="bjorkdalen",
        source=LoginSource("127.0.0.1", ""),
    )


def test_no_repr_shows_a_secret(simulator: Simulator, db: None) -> None:
    simulator.state.settings.refresh_tokens = True
    signed_in = sign_in_here()
    web, token = signed_in.web, signed_in.grant.access_token
    of_cookies = Credential(
        "cookie", pair_hash(web), web=web, school="bjorkdalen", username="elsa.nordvall"
    )
    of_token = Credential("bearer", token_hash(token), token=token)
    shown: list[Any] = [signed_in, signed_in.record, signed_in.account, signed_in.account.profile]
    for credential in (of_cookies, of_token):
        shown += [credential, identify(credential, address="127.0.0.1"), read(credential.hash)]
    shown.append(refresh(of_cookies, with_web=True))
    secrets = [token, web.jsessionid, web.hash, signed_in.grant.refresh_token or "-", "elsa-demo"]
    secrets += ["elsa.nordvall@bjorkdalen.example", "Elsa.Nordvall"]
    for thing in shown:
        assert [secret for secret in secrets if secret in repr(thing)] == [], type(thing)
    assert "elsa.nordvall" not in repr([signed_in, of_cookies, of_token])
