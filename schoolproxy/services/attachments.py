"""The files beside an article or a message, as an answer names them."""

from typing import Any, Final
from urllib.parse import urlencode

from accounts.origins import public_url
from schoolproxy.reads import ChildChoice, Fields
from upstream.page_records import AttachedFile

_IMAGES: Final = ("png", "jpg", "jpeg", "gif", "webp", "heic", "bmp", "tif", "tiff")
_DOCUMENTS: Final = (
    *("doc", "docx", "odt", "rtf", "txt", "pages", "xls", "xlsx", "ods", "csv", "numbers"),
    *("ppt", "pptx", "odp", "key"),
)
_TYPES: Final = {
    "pdf": "pdf",
    **dict.fromkeys(_IMAGES, "image"),
    **dict.fromkeys(_DOCUMENTS, "document"),
}


def attachment_fields(files: tuple[AttachedFile, ...]) -> list[dict[str, Any]]:
    """What the cache keeps of them: no address, because ours depends on who asks."""
    return [
        {"id": file.id, "name": file.name, "type": type_of(file.name), "sizeText": file.size_text}
        for file in files
    ]


def type_of(name: str) -> str:
    """`pdf`, `image`, `document` or `other`, by the end of the name."""
    return _TYPES.get(name.rpartition(".")[2].lower(), "other")


def file_url(path: str, fields: Fields, choice: ChildChoice, *, inline: bool = False) -> str:
    """Our absolute address of a file, which names the child that the answer is about."""
    query = {"inline": "1"} if inline else {}
    if "child" in fields:
        query["child"] = fields["child"]["id"]
        if choice.org_id is not None:
            query["org"] = str(choice.org_id)
    return public_url(f"{path}?{urlencode(query)}" if query else path)
