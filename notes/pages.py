"""The page `/shared/{token}`: a note for everyone with its link, readable without a script."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views import View

from notes.richtext.plain_text import guess_language
from notes.services.share_links import read_shared_note

HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}


class SharedNotePage(View):
    """A note without anything about its author."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        note, html = read_shared_note(
            token=token, client_address=request.META.get("REMOTE_ADDR", ""), heading_offset=1
        )
        context = {
            "note": note,
            "token": token,
            "contact": settings.CONTACT,
            "html": mark_safe(html),  # noqa: S308  (sanitised by nh3)
            # The page is in the reader's language, and says in which one the note is written.
            "note_language": guess_language(f"{note.title} {note.excerpt}"),
            "changed": timezone.localtime(note.updated_at).replace(microsecond=0),
        }
        page = render_to_string("notes/shared_note.html", context, request)
        return HttpResponse(page, headers=HEADERS)
