"""The language of an answer: Swedish or English, by `Accept-Language`."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header

LANGUAGES: Final = frozenset(code for code, _name in settings.LANGUAGES)


def language_of(header: str) -> str:
    """`sv` or `en`: what an `Accept-Language` prefers, or DEFAULT_LANGUAGE when it names neither.

    A region counts as its language (`sv-FI` is `sv`), `q=0` as not named.
    """
    for tag, quality in parse_accept_lang_header(header.lower()):
        language = tag.partition("-")[0]
        if quality and language in LANGUAGES:
            return language
    return str(settings.DEFAULT_LANGUAGE)


def activate(request: HttpRequest) -> str:
    """Activate the language of a request until the next one in this thread. Returns it."""
    language = language_of(request.META.get("HTTP_ACCEPT_LANGUAGE", ""))
    translation.activate(language)
    return language


def name_language(response: HttpResponseBase, language: str) -> None:
    """Set `Content-Language` and `Vary` of errors and pages. Other answers, such as school data,
    are the same in each language."""
    headers = response.headers
    if hasattr(response, "error_code") or headers.get("Content-Type", "").startswith("text/html"):
        headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ["Accept-Language"])
