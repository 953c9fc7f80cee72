"""The OpenAPI document agrees with the service."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
import yaml
from django.test import Client
from jsonschema import Draft202012Validator

from wrapper_project import docs, error_table


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    read: dict[str, Any] = orjson.loads(docs.document(as_yaml=False))
    return read


def _operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method.upper(), operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def _codes(operation: dict[str, Any], status: int) -> set[str]:
    answer = operation["responses"].get(str(status))
    if answer is None:
        return set()
    return set(
        answer["content"]["application/json"]["schema"]["allOf"][1]["properties"]["code"]["enum"]
    )


def test_it_is_json_unless_yaml_is_requested(client: Client) -> None:
    plain = client.get("/api/schema")
    assert plain.headers["Content-Type"] == "application/json"
    assert plain.json()["openapi"].startswith("3.1.")
    for name in ("application/yaml", "application/vnd.oai.openapi"):
        answer = client.get("/api/schema", headers={"accept": name})
        assert answer.headers["Content-Type"] == "application/yaml"
        assert yaml.safe_load(answer.text)["paths"].keys() == plain.json()["paths"].keys()


def test_every_operation_lists_the_common_errors(document: dict[str, Any]) -> None:
    for path, _method, operation in _operations(document):
        assert "internal_error" in _codes(operation, 500), path
        assert "database_unavailable" in _codes(operation, 503), path
        assert "method_not_allowed" in _codes(operation, 405), path


def test_every_operation_is_described(document: dict[str, Any]) -> None:
    for path, method, operation in _operations(document):
        assert operation.get("summary"), (method, path)
        assert operation.get("description"), (method, path)


def _contents(operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The request body and the successful responses."""
    answers = [said for code, said in operation["responses"].items() if code.startswith("2")]
    for body in (operation.get("requestBody", {}), *answers):
        yield from body.get("content", {}).values()


def test_every_example_matches_its_schema(document: dict[str, Any]) -> None:
    tried = 0
    for path, method, operation in _operations(document):
        for content in _contents(operation):
            schema = content["schema"] | {"components": document["components"]}
            for name, example in content.get("examples", {}).items():
                wrong = Draft202012Validator(schema).iter_errors(example["value"])
                assert [error.message for error in wrong] == [], (method, path, name)
                tried += 1
    assert tried > 40


def test_unsafe_operations_list_the_origin_check(document: dict[str, Any]) -> None:
    for path, method, operation in _operations(document):
        assert ("cross_origin" in _codes(operation, 403)) is (method != "GET"), path


def test_operations_with_a_session_list_its_errors(document: dict[str, Any]) -> None:
    schedule = document["paths"]["/api/schedule"]["get"]
    assert "not_signed_in" in _codes(schedule, 401)
    assert "account_suspended" in _codes(schedule, 403)
    assert _codes(schedule, 429) == {"too_many_requests"}
    assert {"upstream_unreachable", "circuit_open"} <= _codes(schedule, 503)
    assert _codes(schedule, 504) == {"upstream_timeout"}
    assert {"bearer": []} in schedule["security"]
    assert "not_signed_in" not in _codes(document["paths"]["/api/version"]["get"], 401)


def test_operations_with_a_body_list_its_errors(document: dict[str, Any]) -> None:
    login = document["paths"]["/api/login"]["post"]
    assert {"invalid_json", "invalid_input"} <= _codes(login, 400)
    assert _codes(login, 413) == {"too_large"}


def test_every_code_in_the_document_is_one_of_the_table(document: dict[str, Any]) -> None:
    known = {row.code for row in error_table.TABLE.values()} | {error_table.UNEXPECTED.code}
    for path, _method, operation in _operations(document):
        for status in errors_of(operation):
            assert _codes(operation, status) <= known, path


def errors_of(operation: dict[str, Any]) -> list[int]:
    return [int(status) for status in operation["responses"] if int(status) >= 400]


def test_every_response_with_retry_after_documents_it(document: dict[str, Any]) -> None:
    for path, _method, operation in _operations(document):
        for status, answer in operation["responses"].items():
            assert "X-Request-ID" in answer["headers"], path
            assert ("Retry-After" in answer["headers"]) is (status in {"429", "503"}), path


def test_every_response_with_an_etag_documents_it(document: dict[str, Any]) -> None:
    tagged = [op for _, _, op in _operations(document) if "304" in op["responses"]]
    assert len(tagged) >= 9
    for operation in tagged:
        names = {parameter["name"] for parameter in operation["parameters"]}
        assert "If-None-Match" in names, operation["operationId"]
        for status in ("200", "304"):
            assert "ETag" in operation["responses"][status]["headers"], operation["operationId"]


def test_every_status_of_the_table_is_described() -> None:
    assert {row.status for row in error_table.TABLE.values()} <= set(docs_statuses())


def docs_statuses() -> list[int]:
    from wrapper_project.schema import DESCRIPTIONS

    return list(DESCRIPTIONS)


def test_the_page_loads_nothing_from_other_hosts(client: Client) -> None:
    for path in ("/api/docs", "/api/docs?script="):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "https://" not in answer.text.replace("https://www.apache.org", "")
    policy = client.get("/api/docs").headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy
