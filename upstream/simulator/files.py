"""Attached files: the links on pages, the address that signs and redirects, and the bytes.

A file's number is that of its item and one digit more.
"""

import io
import secrets
import struct
import zipfile
import zlib
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from upstream.simulator import page_frame
from upstream.simulator.access import jsp_page
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, redirect
from upstream.simulator.news import articles_of
from upstream.simulator.people import Person
from upstream.simulator.state import State

_PICTURES = (".png",)
# The files of an item, by the remainder of its number: a name and the size that the page says.
_SETS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("Veckobrev v 12.pdf", "141&nbsp;KB"), ("Karta till Ekängen (ny).docx", "0&nbsp;KB")),
    (),
    (("IMG_2291.PNG", "37&nbsp;KB"),),
    (("Veckobrev åk 8.pdf", "3,9&nbsp;MB"), ("Anmälan.html", "2&nbsp;KB")),
)


@dataclass(frozen=True, slots=True)
class File:
    id: int
    name: str
    size: str

    @property
    def is_picture(self) -> bool:
        return self.name.lower().endswith(_PICTURES)


def of(kind: str, item: int) -> list[File]:
    """The files of a news item (`news`) or of a message (`message`)."""
    chosen = _SETS[item % 4] if kind == "news" else _SETS[0][:1] if item % 4 == 0 else ()
    return [File(item * 10 + place, *fields) for place, fields in enumerate(chosen)]


def holds_all_of(item: int) -> bool:
    """Whether a news item has no text, because its files have it."""
    return item % 4 == 3


def links(kind: str, item: int, page: int) -> str:
    """The links to the files of an item. Their text is shortened; the title is not."""
    rows = "<br>".join(
        f'<a href="right_student_file_download.jsp?requestid1={item}&requestid2={page}'
        f'&object={kind}&fileid={file.id}" title="{file.name}">{file.name[:7]}...</a> ({file.size})'
        for file in of(kind, item)
    )
    return f"<label>Bifogade filer</label><div id='fileAttach{item}'>{rows}</div>" if rows else ""


@jsp_page
def download(request: Request, state: State, person: Person) -> Response:
    """Signs an address that works once, or refuses with a page and the status 200."""
    query = request.query
    item, kind = query.get("requestid1", ""), query.get("object", "news")
    if kind == "news":
        visible = [str(article.id) for article in articles_of(person, state)]
    else:
        numbers = range(1, state.settings.messages + 1)
        visible = [str(person.user_id * 100 + number) for number in numbers]
    files = of(kind, int(item)) if item in visible else []
    chosen = [file for file in files if str(file.id) == query.get("fileid")]
    if not chosen:
        return refusal(state)
    return send(chosen[0].name, chosen[0].id, request, state)


def refusal(state: State) -> Response:
    """A page that says no, with the status 200."""
    text = (
        '<div class="alert alert-error"><span class="message-text">'
        "Du &auml;r inte beh&ouml;rig att se filen.</span></div>"
    )
    return page_frame.render("Fel", text, state)


def send(name: str, number: int, request: Request, state: State) -> Response:
    """The redirect to a newly signed address."""
    signature = secrets.token_hex(16)
    state.signed_files[signature] = name
    address = f"/files/{request.school}/tmp_file_{number}.tmp"  # noqa: S108 - an address
    expires = int(state.clock.now()) + 120
    query = f"md5={signature}&expires={expires}&filename={quote(name)}"
    return redirect(f"{request.base_url}{address}?{query}")


def content(request: Request, state: State) -> Response:
    """The bytes; the second time 404."""
    name = state.signed_files.pop(request.query.get("md5", ""), None)
    if name is None:
        return NOT_FOUND
    body = content_of(name)
    body += b" " * (state.settings.file_bytes - len(body))
    # Two values in one header.
    headers = [("Content-Type", "application/octet-stream, application/pdf")]
    if state.settings.file_names == "disposition":
        disposition = f"attachment; filename*=UTF-8''{quote(name)}"
        headers.append(("Content-Disposition", disposition))
    return Response(200, body, tuple(headers))


@lru_cache(maxsize=16)
def content_of(name: str) -> bytes:
    """The content of a file with this name."""
    if name.lower().endswith(".pdf"):
        return _pdf()
    if name.lower().endswith(".docx"):
        return _document()
    if name.lower().endswith(".png"):
        return _picture(64, 48)
    return b"<!DOCTYPE html><html><body><script>alert(1)</script><p>Blankett</p></body></html>"


def _pdf() -> bytes:
    parts = [
        b"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
        b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj",
    ]
    return b"%PDF-1.4\n" + b"\n".join(parts) + b"\ntrailer<</Root 1 0 R>>\n%%EOF\n"


def _document() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<document/>")
    return packed.getvalue()


def _picture(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checksum

    rows = (b"\0" + b"\x3a\x7d\x44" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts
