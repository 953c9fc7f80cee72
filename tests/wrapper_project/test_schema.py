"""The OpenAPI document agrees with the service."""

from collections.abc import Iterator
from typing import Any

import yaml
from django.test import Client
from jsonschema import Draft202012Validator

from wrapper_project import error_table


def _operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method.upper(), operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def _codes(operation: dict[str, Any], status: int) -> set[str]:
    return set(operation["x-error-codes"].get(str(status), ()))


def _answers(operation: dict[str, Any], document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The answers by status, with those of components in place of references."""
    shared = document["components"]["responses"]
    return {
        status: shared[answer["$ref"].rpartition("/")[2]] if "$ref" in answer else answer
        for status, answer in operation["responses"].items()
    }


def _header(header: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    name = header.get("$ref", "").rpartition("/")[2]
    return document["components"]["headers"][name] if name else header


def test_it_is_json_unless_yaml_is_requested(client: Client) -> None:
    plain = client.get("/api/schema")
    assert plain.headers["Content-Type"] == "application/json"
    assert plain.json()["openapi"].startswith("3.1.")
    for name in ("application/yaml", "application/vnd.oai.openapi"):
        answer = client.get("/api/schema", headers={"accept": name})
        assert answer.headers["Content-Type"] == "application/yaml"
        read = yaml.load(answer.text, yaml.CSafeLoader)
        assert read["paths"].keys() == plain.json()["paths"].keys()


def test_every_operation_lists_the_common_errors(document: dict[str, Any]) -> None:
    for path, _method, operation in _operations(document):
        assert "internal_error" in _codes(operation, 500), path
        assert "database_unavailable" in _codes(operation, 503), path
        assert "method_not_allowed" in _codes(operation, 405), path


def test_every_operation_is_described(document: dict[str, Any]) -> None:
    for path, method, operation in _operations(document):
        assert operation["summary"], (method, path)
        # A description says what the summary does not, or is left out.
        described = operation.get("description", "").rstrip(".")
        assert described != operation["summary"], (method, path)


def _contents(operation: dict[str, Any], document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The request body and all responses."""
    for body in (operation.get("requestBody", {}), *_answers(operation, document).values()):
        yield from body.get("content", {}).values()


def resolved(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """The schema, or the component that it refers to."""
    name = schema.get("$ref", "").removeprefix("#/components/schemas/")
    component: dict[str, Any] = document["components"]["schemas"][name] if name else schema
    return component


def test_success_tells_an_answer_from_an_error(document: dict[str, Any]) -> None:
    tried = 0
    for path, method, operation in _operations(document):
        for status, answer in _answers(operation, document).items():
            if "application/json" not in answer.get("content", {}):
                continue
            schema = resolved(answer["content"]["application/json"]["schema"], document)
            success = {"type": "boolean", "const": status != "default"}
            assert schema["properties"]["success"] == success, (method, path, status)
            assert "success" in schema["required"], (method, path, status)
            tried += 1
    assert tried > 150


def test_every_example_matches_its_schema(document: dict[str, Any]) -> None:
    tried = 0
    for path, method, operation in _operations(document):
        for content in _contents(operation, document):
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


def _places(document: dict[str, Any], code: str, status: int) -> set[tuple[str, str]]:
    return {
        (method, path)
        for path, method, operation in _operations(document)
        if code in _codes(operation, status)
    }


def test_every_code_of_the_table_stands_on_an_operation(document: dict[str, Any]) -> None:
    rows = {(row.code, row.status) for row in error_table.TABLE.values()}
    assert {code for code, status in rows if not _places(document, code, status)} == set()


def test_a_child_is_required_where_one_can_be_named_and_for_the_card_of_a_grade(
    document: dict[str, Any],
) -> None:
    with_child = {
        (method, path)
        for path, method, operation in _operations(document)
        if any(parameter["name"] == "child" for parameter in operation.get("parameters", ()))
    }
    sending = {
        ("POST", "/api/conversations/{conversation_id}"),
        ("POST", "/api/conversations/{conversation_id}/messages"),
    }
    assert _places(document, "child_not_allowed", 400) == with_child
    assert _places(document, "child_required", 400) == with_child | sending
    needed = _places(document, "sign_in_needed", 409)
    assert needed < with_child | sending
    assert sending < needed
    assert ("GET", "/api/schedule") in needed


def test_a_refused_name_and_a_large_file_stand_where_they_are_answered(
    document: dict[str, Any],
) -> None:
    refused = _places(document, "display_name_refused", 400)
    assert {path for _method, path in refused} == {"/api/profile"}
    for method, path in _places(document, "too_large", 413):
        takes_body = "requestBody" in document["paths"][path][method.lower()]
        assert takes_body or any(word in path for word in ("picture", "file", "attachments")), path


def errors_of(operation: dict[str, Any]) -> list[int]:
    return [int(status) for status in operation["x-error-codes"]]


def test_all_errors_are_one_answer_that_a_new_code_does_not_break(
    document: dict[str, Any],
) -> None:
    for path, _method, operation in _operations(document):
        successful = {status for status in operation["responses"] if status[0] in "23"}
        assert set(operation["responses"]) == {*successful, "default"}, path
        assert operation["responses"]["default"] == {"$ref": "#/components/responses/Error"}, path
    answer = document["components"]["responses"]["Error"]
    schema = answer["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/Error"}
    code = document["components"]["schemas"]["Error"]["properties"]["code"]
    assert code["type"] == "string"
    assert "enum" not in code
    known = {row.code for row in error_table.TABLE.values()} | {error_table.UNEXPECTED.code}
    assert set(code["examples"]) == known


def test_the_headers_of_errors_and_the_meaning_of_statuses_are_documented(
    document: dict[str, Any],
) -> None:
    answer = document["components"]["responses"]["Error"]
    assert answer["headers"].keys() == {"X-Request-ID", "Retry-After"}
    introduction = document["info"]["description"]
    assert "`X-Request-ID`" in introduction
    for row in error_table.TABLE.values():
        assert f"\n- {row.status}: " in introduction


def test_every_response_with_an_etag_documents_it(document: dict[str, Any]) -> None:
    tagged = [op for _, _, op in _operations(document) if "304" in op["responses"]]
    assert len(tagged) >= 9
    for operation in tagged:
        names = {parameter["name"] for parameter in operation["parameters"]}
        assert "If-None-Match" in names, operation["operationId"]
        answers = _answers(operation, document)
        for status in ("200", "304"):
            tag = _header(answers[status]["headers"]["ETag"], document)
            assert tag["schema"] == {"type": "string"}, operation["operationId"]


def test_answers_of_several_operations_are_components(document: dict[str, Any]) -> None:
    """Without them, a generated client has one for each operation."""
    inline = [
        str(answer)
        for _path, _method, operation in _operations(document)
        for answer in operation["responses"].values()
        if "$ref" not in answer and "application/json" in answer.get("content", {})
    ]
    assert len(inline) == len(set(inline))
    examples = document["components"]["responses"]["MessageAnswer"]["content"]["application/json"]
    assert "Sent" in examples["examples"]


def test_the_page_loads_nothing_from_other_hosts(client: Client) -> None:
    answer = client.get("/api/docs")
    assert answer.status_code == 200
    assert "https://" not in answer.text
    policy = client.get("/api/docs").headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy
