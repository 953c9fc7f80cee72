"""The OpenAPI document has the types that generated clients need."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.wrapper_project.test_schema import resolved


def _is_valid(body: Any, name: str, document: dict[str, Any]) -> bool:
    schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    return bool(Draft202012Validator(schema).is_valid(body))


@pytest.mark.parametrize(
    ("name", "valid", "invalid"),
    [
        (
            "MessageChangeRequest",
            [
                {"action": "edit", "content": "Hej", "iv": None},
                {"action": "pin"},
                {"action": "pin", "pinned": True},
                {"action": "unpin"},
                {"action": "react", "emoji": "👍"},
                {"action": "add_reaction", "emoji": "👍"},
                {"action": "remove_reaction", "emoji": "👍"},
            ],
            [{"action": "edit"}, {"action": "react"}, {"action": "burn"}, {"content": "Hej"}, {}],
        ),
        (
            "ConversationChangeRequest",
            [
                {"action": "rename", "groupName": "Ugglorna"},
                {"action": "add_member", "targetUsername": "bo.ek"},
                {"action": "remove_member", "targetUsername": "bo.ek"},
                {"action": "transfer_admin", "targetUsername": "bo.ek"},
                {"action": "leave"},
                {"action": "mark_read"},
                {"action": "mark_read", "seq": 12},
            ],
            [{"action": "add_member"}, {"action": "mark_read", "seq": "12"}, {"action": "burn"}],
        ),
        (
            "ShareCardRequest",
            [{"type": "note", "noteId": "9d2c"}, {"type": "grade", "assignmentId": "88121"}],
            [
                {"type": "note", "assignmentId": "88121"},
                {"type": "grade", "assignmentId": 88121},
                {"type": "lesson"},
            ],
        ),
    ],
)
def test_each_kind_of_a_body_has_its_own_schema(
    name: str, valid: list[Any], invalid: list[Any], document: dict[str, Any]
) -> None:
    union = document["components"]["schemas"][name]
    values = {body[union["discriminator"]["propertyName"]] for body in valid}
    assert union["discriminator"]["mapping"].keys() == values
    assert [body for body in valid if not _is_valid(body, name, document)] == []
    assert [body for body in invalid if _is_valid(body, name, document)] == []


def test_the_body_of_a_change_is_required(document: dict[str, Any]) -> None:
    for path in ("", "/{message_id}"):
        change = document["paths"][f"/api/conversations/{{conversation_id}}{path}"]["patch"]
        assert change["requestBody"]["required"]


def test_a_change_requires_its_fields(document: dict[str, Any]) -> None:
    assert document["components"]["schemas"]["InviteReplyRequest"]["required"] == ["inviteId"]
    assert "required" not in document["components"]["schemas"]["NoteChangeRequest"]


def test_both_kinds_of_cards_are_described(document: dict[str, Any]) -> None:
    note = {"type": "note", "noteId": "9d2c", "title": "Biologi", "preview": "Läs om",
            "fullContent": "Läs om fotosyntesen", "status": "draft", "sharedAt": 1}  # fmt: skip
    grade = {"type": "grade", "assignmentId": "88121", "assignmentTitle": "Prov kap 4",
             "subjectName": "Matematik", "assignmentType": "Prov", "grade": "C",
             "confidence": "confirmed", "totalPoints": "18.5 / 26", "sharedAt": 1}  # fmt: skip
    card = document["components"]["schemas"]["Message"]["properties"]["shareCard"]
    assert card == {"oneOf": [{"$ref": "#/components/schemas/ShareCard"}, {"type": "null"}]}
    for name, each, other in (("NoteCard", note, grade), ("GradeCard", grade, note)):
        assert _is_valid(each, "ShareCard", document)
        assert _is_valid(each, name, document)
        assert not _is_valid(other, name, document)
        assert set(document["components"]["schemas"][name]["required"]) == each.keys()


def test_the_other_name_of_a_text_has_its_type(document: dict[str, Any]) -> None:
    fields = document["components"]["schemas"]["SendRequest"]["properties"]
    without = {name: fields["content"][name] for name in ("type", "minLength", "maxLength")}
    assert {name: fields["text"][name] for name in without} == without


def test_ids_in_paths_queries_and_requests_are_strings(document: dict[str, Any]) -> None:
    tried = 0
    operations = [each for methods in document["paths"].values() for each in methods.values()]
    for operation in operations:
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "path" or parameter["name"].lower().endswith("id"):
                assert parameter["schema"]["type"] == "string", operation["operationId"]
                tried += 1
    for name, schema in document["components"]["schemas"].items():
        for field, found in schema.get("properties", {}).items():
            if name.endswith("Request") and (field == "id" or field.endswith("Id")):
                kind = resolved(found, document)["type"]
                assert kind in ("string", ["string", "null"]), (name, field)
                tried += 1
    assert tried > 30


def test_files_are_binary(document: dict[str, Any]) -> None:
    upload = document["paths"]["/api/profile/picture"]["post"]["requestBody"]["content"]
    (form,) = upload.values()
    image = resolved(form["schema"], document)["properties"]["image"]
    answers = (("/media/{name}.webp", "image/webp"), ("/api/account/export", "application/zip"))
    downloads = [
        document["paths"][path]["get"]["responses"]["200"]["content"][kind]["schema"]
        for path, kind in answers
    ]
    assert list(upload) == ["multipart/form-data"]
    for found in (image, *downloads):
        assert (found["type"], found["format"]) == ("string", "binary")


# Record -> the fields that are always there, and some that may be.
RECORDS = {
    "Lesson": ("startDate", "endDate eventId name description room teacher teachingGroup"),
    "Room": ("id activityId subject", "groupNames color isSubjectRoom"),
    "Entity": ("entityType", "id planningId title subTitle sortDate read status"),
    "Teacher": ("firstName lastName role", "id email"),
    "RoomAssignment": ("", "id title subTitle read"),
    "RoomRow": ("", "id partId entityType title endDate endTime status subjectNames"),
    "WeekAssignment": ("type", "id activityId title subTitle sortDate read submissionStatus"),
    "Section": ("", "id type typeId"),
    "ConnectedPlanning": ("", "id planningId title subTitle read sortDate"),
    "PartialMoment": ("", "id name points max"),
    "CriteriaTab": ("", "content assessedCriteria"),
    "Criterion": ("", "level steps"),
    "Level": ("", "levelEnum value description"),
}


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_of_the_school_has_the_fields_that_were_seen(
    name: str, document: dict[str, Any]
) -> None:
    always, perhaps = (words.split() for words in RECORDS[name])
    schema = document["components"]["schemas"][name]
    assert schema["additionalProperties"] is True
    assert set(schema.get("required", [])) == set(always)
    assert {*always, *perhaps} <= schema["properties"].keys()
    record = {field: schema["properties"][field].get("const", "ASSIGNMENT") for field in always}
    record |= {"activityId": 1204} if "activityId" in always else {}
    assert _is_valid(record | {"more": [1]}, name, document)
    assert _is_valid(record | dict.fromkeys(perhaps), name, document)


@pytest.mark.parametrize(
    ("path", "field", "record"),
    [
        ("/api/schedule", "schedule", "Lesson"),
        ("/api/subjects/{room}", "assignments", "RoomRow"),
        ("/api/assignments/week", "data", "WeekAssignment"),
        ("/api/assignment/{number}", "sections", "Section"),
        ("/api/assignment/{number}", "connectedPlannings", "ConnectedPlanning"),
    ],
)
def test_an_answer_consists_of_records(
    path: str, field: str, record: str, document: dict[str, Any]
) -> None:
    answer = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
    rows = resolved(answer["schema"], document)["properties"][field]
    assert rows["items"] == {"$ref": f"#/components/schemas/{record}"}
