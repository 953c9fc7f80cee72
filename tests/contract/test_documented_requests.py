"""What the document says of queries and bodies, asked of the service."""

from typing import Any
from urllib.parse import parse_qsl, urlencode

import orjson
import pytest
from django.db import transaction
from django.urls import resolve
from pytest_django.fixtures import Settings

from tests.conftest import Caller
from tests.contract.elsas_objects import ElsasObjects
from tests.contract.permission_matrix import MATRIX
from tests.contract.rows import Row
from wrapper_project import docs

# (method, path) -> operation.
Operations = dict[tuple[str, str], dict[str, Any]]
IDS = {
    **dict.fromkeys(("conversation_id", "countdown_id", "note_id"), "0" * 32),
    "message_id": "0" * 32 + "-1",
    "number": "1",
    "token": "nobody",
}
ROWS = [row for rows in MATRIX.values() for row in rows]


@pytest.fixture(scope="module")
def operations() -> Operations:
    paths = orjson.loads(docs.document(as_yaml=False))["paths"]
    return {
        (method.upper(), path): operation
        for path, methods in paths.items()
        for method, operation in methods.items()
    }


def path_in_document(path: str) -> str:
    """The path as it is in the document, such as `/api/notes/{note_id}`."""
    parts = resolve(path).route.split("<")
    return (
        "/"
        + parts[0]
        + "".join("{" + part.partition(":")[2].replace(">", "}") for part in parts[1:])
    )


def parameters_of(row: Row, path: str, operations: Operations) -> list[str]:
    """The names of what the query of this request can have."""
    operation = operations.get((row.method, path_in_document(path)), {})
    parameters = operation.get("parameters", ())
    return [parameter["name"] for parameter in parameters if parameter["in"] == "query"]


def test_nul_in_any_parameter_is_400(
    operations: Operations, elsa: Caller, settings: Settings
) -> None:
    settings.RATE_LIMITS = False
    asked = 0
    for row in (row for row in ROWS if row.elsa == 200 and row.path.startswith("/api/")):
        with transaction.atomic():
            path, _, query = row.path.format_map(ElsasObjects(elsa)).partition("?")
            for name in parameters_of(row, path, operations):
                given = urlencode(dict(parse_qsl(query)) | {name: "\0"})
                answer = elsa.http.generic(row.method, f"{path}?{given}")
                assert answer.status_code == 400, (row, name)
                asked += 1
            transaction.set_rollback(True)
    assert asked > 80


def test_a_body_is_required_where_an_empty_one_is_refused(
    operations: Operations, elsa: Caller, settings: Settings
) -> None:
    settings.RATE_LIMITS = False
    asked = {True: 0, False: 0}
    for (method, path), operation in operations.items():
        if "requestBody" not in operation or method == "DELETE":  # the query may say it
            continue
        is_required = operation["requestBody"].get("required", False)
        answer = elsa.http.generic(method, f"{path.format_map(IDS)}?id={IDS['note_id']}")
        assert (answer.status_code == 400) == is_required, (method, path, answer.content)
        asked[is_required] += 1
    assert min(asked.values()) > 10
