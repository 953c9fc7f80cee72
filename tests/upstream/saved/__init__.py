"""Pages as schools send them, bytes and all: names invented, structure and faults kept.

Written by hand and on purpose not by the simulator: reader and simulator cannot agree on a mistake.
"""

from pathlib import Path

from upstream.pages.html import Page

FOLDER = Path(__file__).parent
NAMES = sorted(path.name for path in FOLDER.glob("*.html"))


def saved(name: str, charset: str = "iso-8859-1") -> Page:
    """A saved page, with the charset that its header would name."""
    return Page((FOLDER / name).read_bytes(), charset)
