"""Hand-written pages with the bytes that schools send: invented names, real structure and faults.

They are not made by the simulator, so that parsers and simulator cannot share a mistake.
"""

from pathlib import Path

from upstream.pages.html import Page

FOLDER = Path(__file__).parent
NAMES = sorted(path.name for path in FOLDER.glob("*.html"))


def saved(name: str, charset: str = "iso-8859-1") -> Page:
    """A saved page, with the charset that its header would name."""
    return Page((FOLDER / name).read_bytes(), charset)
