"""`/shared/{token}`: a note for whoever has its link, readable without a script."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import formats, timezone, translation
from django.utils.safestring import mark_safe
from django.views import View

from notes.richtext.plain_text import Language, guess_language
from notes.services.share_links import SharedNote, read_shared_note

# One style sheet of our own and nothing else: no script runs here, whatever a note says.
CONTENT_POLICY: Final = (
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": CONTENT_POLICY,
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
        "note": "Whoever wrote this note has shared its link. Nobody has checked what it says.",
    },
}


class SharedNotePage(View):
    """A note and nothing about who wrote it."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        """The page. A token that opens nothing is the 404 of any address that is none."""
        note = read_shared_note(
            token=token, client_address=request.META.get("REMOTE_ADDR", ""), below=1
        )
        response = render(request, "notes/shared_note.html", _shown(note))
        for name, value in HEADERS.items():
            response.headers[name] = value
        return response


def _shown(note: SharedNote) -> dict[str, Any]:
    language = guess_language(f"{note.title} {note.excerpt}")
    changed = timezone.localtime(note.updated_at).replace(microsecond=0)
    with translation.override(language):
        date = formats.date_format(changed, "j F Y")
    return {
        "note": note,
        "html": mark_safe(note.html),  # noqa: S308  (written by our renderer, cleaned by nh3)
        "language": language,
        "words": WORDS[language],
        "changed": changed,
        "date": date,
    }
