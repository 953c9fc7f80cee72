"""Where a link in a document may lead: http, https and mailto, spelled out."""

import re
from typing import Final
from urllib.parse import urlsplit

from notes.limits import MAX_LINK

# What a browser strips or skips before it reads the scheme, and what hides in plain sight.
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_WEB: Final = re.compile(r"https?://[^/?#\\\s]", re.IGNORECASE)
_MAIL: Final = re.compile(r"mailto:[^\s]", re.IGNORECASE)


def is_safe_link(address: object) -> bool:
    """Whether a document may link to this: an absolute address with a host, or a mail address.

    Relative ones (`//host` too) would lead somewhere else on each page that shows the note.
    """
    if not isinstance(address, str) or len(address) > MAX_LINK:
        return False
    if address != address.strip() or _UNSEEN.search(address):
        return False
    if _MAIL.match(address):
        return True
    if not _WEB.match(address):
        return False
    try:
        return bool(urlsplit(address).hostname)
    except ValueError:
        return False
