"""The search key of a profile, and its index."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.name_comparison import normalize_for_search
from tests.migration_states import migrated_back

needs_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="only PostgreSQL has the index"
)
INDEX = "accounts_profile_search"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Åsa Öberg-Ärlig", "asa oberg arlig"),
        ("Sean O’Hara", "sean o hara"),
        ("O'Hara–Ek´s `a", "o hara ek s a"),
        ("Işık", "isik"),
        ("A\u030asa", "asa"),  # the ring as a combining character
        ("ÉLODIE  Çelik\t", "elodie celik"),
        ("Ærø Łukasz Đorđe", "aero lukasz dorde"),
        ("STRAẞE straße", "strasse strasse"),
        ("İstanbul", "istanbul"),
        ("ﬁn ２", "fin 2"),
        ("a\nb\u2028c", "a b c"),
        ("zoe.åkerman@nyvang", "zoe.akerman@nyvang"),
        ("100%_\\", "100%_\\"),
        ("山田 🌻", "山田 🌻"),
        ("\u0301", ""),
        ("", ""),
    ],
)
def test_it_has_neither_case_nor_accents(text: str, folded: str) -> None:
    assert normalize_for_search(text) == folded
    assert normalize_for_search(folded) == folded


def _indexes() -> set[str]:
    with connection.cursor() as cursor:
        return set(connection.introspection.get_constraints(cursor, "accounts_profile"))


@needs_postgresql
@pytest.mark.django_db
def test_search_has_an_index() -> None:
    assert INDEX in _indexes()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            "EXPLAIN SELECT 1 FROM accounts_profile WHERE search_key LIKE %s", ["%akerman%"]
        )
        assert INDEX in str(cursor.fetchall())


@needs_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_missing_right_to_create_the_extension_is_explained() -> None:
    role = f"{connection.settings_dict['NAME']}_stranger"  # roles are global, not per database
    with migrated_back([("accounts", "0005_search_key")]), connection.cursor() as cursor:
        assert INDEX not in _indexes()
        cursor.execute("DROP EXTENSION pg_trgm")
        cursor.execute(f"CREATE ROLE {role}")
        try:
            cursor.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}")
            cursor.execute(f"SET ROLE {role}")
            executor = MigrationExecutor(connection)
            with pytest.raises(ImproperlyConfigured, match="CREATE EXTENSION pg_trgm"):
                executor.migrate(executor.loader.graph.leaf_nodes())
        finally:
            cursor.execute("RESET ROLE")
            cursor.execute(f"DROP OWNED BY {role}")
            cursor.execute(f"DROP ROLE {role}")
    assert INDEX in _indexes()
