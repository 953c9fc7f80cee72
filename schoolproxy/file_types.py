"""What is in a file, and what it is called: by its first bytes, never by what upstream says."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

MAX_NAME: Final = 150
ANY: Final = "application/octet-stream"
PDF: Final = "application/pdf"
_STARTS: Final = (
    (b"%PDF-", PDF, "pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (b"\xff\xd8\xff", "image/jpeg", "jpg"),
    (b"GIF87a", "image/gif", "gif"),
    (b"GIF89a", "image/gif", "gif"),
)
# Browsers show these themselves, without running anything of them in a page.
SHOWN: Final = frozenset({PDF, "image/png", "image/jpeg", "image/gif", "image/webp"})
_SAME_END: Final = {"jpg": {"jpg", "jpeg", "jpe", "jfif"}}
_OOXML: Final = "application/vnd.openxmlformats-officedocument."
# Containers with documents: the end of the name says which.
_PACKED: Final = {
    "docx": f"{_OOXML}wordprocessingml.document",
    "xlsx": f"{_OOXML}spreadsheetml.sheet",
    "pptx": f"{_OOXML}presentationml.presentation",
    "odt": "application/vnd.oasis.opendocument.text",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "zip": "application/zip",
}
_OLD: Final = {
    "doc": "application/msword",
    "xls": "application/vnd.ms-excel",
    "ppt": "application/vnd.ms-powerpoint",
}
_END: Final = re.compile(r"\.([A-Za-z0-9]{1,8})\Z")


def type_and_name(start: bytes, names: Iterable[str | None]) -> tuple[str, str]:
    """The content type by the first bytes, and a safe name with an end that fits. `names` are those
    that the file may have, the best first."""
    candidates = (safe_name(name) for name in names if name)
    name = next((name for name in candidates if name), "file")
    match = _END.search(name)
    end = match[1].lower() if match else ""
    for magic, kind, own in _STARTS:
        if start.startswith(magic):
            return kind, _with_end(name, end, own)
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return "image/webp", _with_end(name, end, "webp")
    if start.startswith(b"PK\x03\x04"):
        return _PACKED.get(end, ANY), name
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        return _OLD.get(end, ANY), name
    return ANY, name


def safe_name(text: str) -> str:
    """The name without folders, control characters and what file systems refuse; may be empty."""
    text = " ".join(re.split(r"[/\\]", text)[-1].split())
    # Also without invisible marks, such as those that let "gpj.exe" look like "exe.jpg".
    visible = (sign for sign in text if unicodedata.category(sign)[0] != "C")
    text = re.sub(r'[<>:"|?*]', "_", "".join(visible)).lstrip(". ")
    if len(text) <= MAX_NAME:
        return text
    match = _END.search(text)
    end = match[0] if match else ""
    return text[: MAX_NAME - len(end)].rstrip() + end


def _with_end(name: str, end: str, own: str) -> str:
    return name if end in _SAME_END.get(own, {own}) else f"{name}.{own}"
