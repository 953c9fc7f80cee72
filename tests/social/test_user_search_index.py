"""The search on PostgreSQL uses a trigram index."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.conftest import Caller
from tests.social.test_user_search import found, people


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such index")
def test_the_index_serves_the_search(elsa: Caller) -> None:
    people([(f"pupil.{number}", f"Pupil {number}") for number in range(200)])
    with CaptureQueriesContext(connection) as queries:
        assert len(found(elsa, "pupil 17")) == 11
    (search,) = (query["sql"] for query in queries if "search_key" in query["sql"])
    with connection.cursor() as cursor:
        # Only whether it can: for so few people a sequential scan is cheaper.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_indexscan = off")
        cursor.execute(f"EXPLAIN {search}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Bitmap Index Scan on accounts_profile_search" in plan
