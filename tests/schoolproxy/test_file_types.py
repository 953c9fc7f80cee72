"""Types of files by their first bytes, and their safe names."""

import pytest

from schoolproxy.file_types import MAX_NAME, safe_name, type_and_name

PNG, ZIP, OLE = b"\x89PNG\r\n\x1a\n....", b"PK\x03\x04....", b"\xd0\xcf\x11\xe0...."
ANY = "application/octet-stream"


@pytest.mark.parametrize(
    ("start", "name", "kind", "named"),
    [
        (b"%PDF-1.7", "Brev.pdf", "application/pdf", "Brev.pdf"),
        (b"%PDF-1.7", "Brev.html", "application/pdf", "Brev.html.pdf"),
        (b"%PDF-1.7", "Brev", "application/pdf", "Brev.pdf"),
        (PNG, "IMG.PNG", "image/png", "IMG.PNG"),
        (PNG, "a.svg", "image/png", "a.svg.png"),
        (b"\xff\xd8\xff\xe0", "a.JPEG", "image/jpeg", "a.JPEG"),
        (b"GIF89a", "a.gif", "image/gif", "a.gif"),
        (b"RIFF1234WEBPVP8 ", "a.webp", "image/webp", "a.webp"),
        (ZIP, "Karta.zip", "application/zip", "Karta.zip"),
        (ZIP, "Karta.html", ANY, "Karta.html"),
        (OLE, "Brev.doc", "application/msword", "Brev.doc"),
        (b"<html>%PDF-", "Brev.pdf", ANY, "Brev.pdf"),
        (b"<svg onload=x>", "a.png", ANY, "a.png"),
        (b"", "", ANY, "file"),
    ],
)
def test_the_first_bytes_decide(start: bytes, name: str, kind: str, named: str) -> None:
    assert type_and_name(start, [name]) == (kind, named)


def test_the_first_name_that_is_one_counts() -> None:
    assert type_and_name(b"", [None, "", "../", "b.txt", "c.txt"])[1] == "b.txt"


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\å.pdf", "å.pdf"),
        ('a"b;c.pdf', "a_b;c.pdf"),
        ("a\r\nSet-Cookie: x.pdf", "a Set-Cookie_ x.pdf"),
        ("brev\u202efdp.exe", "brevfdp.exe"),
        (".htaccess", "htaccess"),
        ("...", ""),
        ("åäö ÅÄÖ 😀.pdf", "åäö ÅÄÖ 😀.pdf"),
        ("a\0b.pdf", "ab.pdf"),
    ],
)
def test_a_name_is_safe(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_a_long_name_keeps_its_end() -> None:
    name = safe_name("å" * 300 + ".pdf")
    assert len(name) == MAX_NAME
    assert name.endswith("å.pdf")
