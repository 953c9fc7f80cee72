"""The page `/shared/{token}`: a note for everyone with its link, readable without a script."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import formats, timezone, translation
from django.utils.safestring import mark_safe
from django.views import View

from notes.richtext.plain_text import Language, guess_language
from notes.services.share_links import SharedNote, read_shared_note

HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}
WORDS: Final[dict[Language, dict[str, str]]] = {
    "sv": {
        "shared": "Delad anteckning",
        "changed": "Ändrad",
        "empty": "Anteckningen är tom.",
        "note": "Den som skrev anteckningen har delat länken. Ingen har granskat innehållet.",
    },
    "en": {
        "shared": "Shared note",
        "changed": "Changed",
        "empty": "This note is empty.",
        "note": "The author of this note has shared its link. Nobody has reviewed the content.",
    },
}


class SharedNotePage(View):
    """A note without anything about its author."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        note = read_shared_note(
            token=token, client_address=request.META.get("REMOTE_ADDR", ""), heading_offset=1
        )
        page = render_to_string("notes/shared_note.html", _context(note), request)
        return HttpResponse(page, headers=HEADERS)


def _context(note: SharedNote) -> dict[str, Any]:
    language = guess_language(f"{note.title} {note.excerpt}")
    changed = timezone.localtime(note.updated_at).replace(microsecond=0)
    with translation.override(language):
        date = formats.date_format(changed, "j F Y")
    return {
        "note": note,
        "html": mark_safe(note.html),  # noqa: S308  (sanitised by nh3)
        "language": language,
        "words": WORDS[language],
        "changed": changed,
        "date": date,
    }
