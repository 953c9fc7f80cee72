"""The staff of a school, and its files and links."""

from dataclasses import asdict
from typing import Any

import orjson

from schoolproxy.cache import CachedAnswer, Question, ask
from schoolproxy.errors import SchoolItemUnknown
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.services.attachments import file_url
from schoolproxy.services.downloads import Download, count_download, open_download
from upstream.calls.files import FileAddress
from upstream.calls.school_pages import fetch_library, fetch_staff
from upstream.endpoints import LIBRARY_FILE
from upstream.page_records import LibraryItem, StaffMember
from upstream.records import ProvenSession
from upstream.shared_client import client


def staff_read() -> SchoolRead:
    """The staff, the same for everybody at the school."""

    def fetch(web: ProvenSession) -> Fields:
        return {"staff": [_member(member) for member in fetch_staff(client(), web=web)]}

    return SchoolRead("staff", fetch, school_wide=True, feature="staff")


def list_of_staff(question: Question, words: str) -> CachedAnswer:
    """The staff whose name or role contains each of the words. Raises: as
    `answer_through_cache`."""
    wanted = words.casefold().split()

    def matches(member: dict[str, Any]) -> bool:
        text = " ".join([member["name"], *member["roles"]]).casefold()
        return all(word in text for word in wanted)

    def select(fields: Fields) -> Fields:
        return fields | {"staff": [member for member in fields["staff"] if matches(member)]}

    answer = ask(question, staff_read())
    return answer.changed(select) if wanted else answer


def library_read() -> SchoolRead:
    """The files and links, without our addresses of the files."""

    def fetch(web: ProvenSession) -> Fields:
        sections = [
            {
                "title": section.title,
                "categories": [
                    {"title": category.title, "items": [_item(item) for item in category.items]}
                    for category in section.categories
                ],
            }
            for section in fetch_library(client(), web=web)
        ]
        return {"sections": sections}

    return SchoolRead("files", fetch, for_teachers=False, feature="files")


def list_of_files(question: Question) -> CachedAnswer:
    """The files and links. Raises: as `answer_through_cache`."""

    def with_urls(fields: Fields) -> Fields:
        for item in _items(fields):
            del item["fileName"]
            if item["id"] is not None:
                item["url"] = file_url(f"/api/files/{item['id']}", fields, question.choice)
        return fields

    return ask(question, library_read()).changed(with_urls)


def library_file(question: Question, number: int) -> Download:
    """A file of the school. Raises: TooManyRequests, SchoolItemUnknown, and as
    `answer_through_cache` and `open_download`."""
    count_download(question.caller)
    items = _items(orjson.loads(ask(question, library_read()).body))
    names = {item["id"]: item["fileName"] for item in items if item["id"] is not None}
    if str(number) not in names:
        raise SchoolItemUnknown
    address = FileAddress(LIBRARY_FILE, {"requestid": number}, name=names[str(number)])
    return open_download(question, address)


def _items(fields: Fields) -> list[dict[str, Any]]:
    return [
        item
        for section in fields["sections"]
        for category in section["categories"]
        for item in category["items"]
    ]


def _item(item: LibraryItem) -> dict[str, Any]:
    return {
        "id": item.id,
        "kind": "link" if item.id is None else "file",
        "title": item.title,
        "fileName": item.file_name,
        "description": item.description,
        "sizeText": item.size_text,
        "url": item.url,
    }


def _member(member: StaffMember) -> dict[str, Any]:
    fields = asdict(member)
    names = {"firstName": fields.pop("first_name"), "lastName": fields.pop("last_name")}
    return {"id": None, **fields, **names, "roles": list(member.roles)}
