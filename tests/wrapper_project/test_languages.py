"""Errors and pages are in Swedish or English, by `Accept-Language`."""

from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import lxml.html
import pytest
import time_machine
from django.db import OperationalError
from django.test import Client
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from accounts.models import Account
from accounts.services.suspension import suspend_account
from stats import counters
from tests.conftest import Caller
from upstream.simulator.server import Simulator
from wrapper_project.languages import language_of

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
SIGN_IN = {"sv": "Logga in för att fortsätta.", "en": "Please sign in."}
GONE = {
    "sv": "Det här finns inte, eller så får du inte se det.",
    "en": "This does not exist, or you cannot see it.",
}


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("sv", "sv"),
        ("sv-SE,sv;q=0.9,en;q=0.8", "sv"),
        ("sv-FI", "sv"),
        ("SV-se", "sv"),
        ("en-GB,en;q=0.9,sv;q=0.8", "en"),
        ("en;q=0.3, sv;q=0.7", "sv"),
        ("de-DE,fi;q=0.9,sv;q=0.1", "sv"),
        ("de-DE,fi;q=0.9", "en"),
        ("sv;q=0, en;q=0.1", "en"),
        ("sv;q=0", "en"),
        ("*", "en"),
        ("svenska", "en"),
        ("sv;q=high", "en"),
        ("x" * 4096, "en"),
        ("sv," + "x," * 4096, "sv"),
    ],
)
def test_a_header_names_a_language(header: str, language: str) -> None:
    assert language_of(header) == language


def test_the_operator_chooses_the_language_of_all_others(settings: Settings) -> None:
    settings.DEFAULT_LANGUAGE = "sv"
    assert [language_of(header) for header in ("", "de", "*", "en-US")] == ["sv", "sv", "sv", "en"]


def says(answer: Any, language: str, sentence: str) -> bool:
    """Whether the error has this sentence, and names its language to caches and clients."""
    body = answer.json()
    assert body["error"] == body["message"]
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]
    return bool(body["error"] == sentence)


def ask(client: Client, method: str, path: str, language: str, **more: Any) -> Any:
    headers = {"accept-language": language} | more.pop("headers", {})
    return client.generic(method, path, headers=headers, **more)


@pytest.mark.parametrize("language", ["sv", "en"])
def test_every_layer_speaks_the_language_of_the_client(
    language: str, client: Client, simulator: Simulator, db: None
) -> None:
    swedish = language == "sv"
    forged = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
    answers = {
        SIGN_IN[language]: ask(client, "GET", "/api/session", language),
        GONE[language]: ask(client, "GET", "/api/nothing", language),
        "Det går inte att göra så på den här adressen."
        if swedish
        else "This address does not support that method.": ask(
            client, "DELETE", "/api/session", language
        ),
        "Det här kom från en annan webbplats och stoppades därför."
        if swedish
        else "This request came from another website, so it was refused.": ask(
            client, "POST", "/api/logout", language, headers=forged
        ),
        "Det som skickades är inget JSON-objekt som vi kan läsa."
        if swedish
        else "The request body is not a JSON object that we can read.": ask(
            client, "POST", "/api/login", language, data=b"[1]", content_type="application/json"
        ),
        "Det du skickade är för stort. Skicka mindre, eller en mindre fil."
        if swedish
        else "What you sent is too large. Send less or a smaller file.": ask(
            client, "POST", "/api/login", language, data=b" " * 300_000, content_type="text/plain"
        ),
        "Något i det som skickades gick inte att läsa."
        if swedish
        else "We could not read this request.": ask(
            client, "GET", "/api/session", language, headers={"host": "elsewhere.example"}
        ),
    }
    assert {answer.status_code for answer in answers.values()} == {400, 401, 403, 404, 405, 413}
    for sentence, answer in answers.items():
        assert says(answer, language, sentence)


def test_trouble_of_the_service_is_told_in_swedish(
    client: Client, simulator: Simulator, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulator.faults.set("schools", "500")
    login = {"username": "elsa.nordvall", "password": "x", "school": "bjorkdalen"}
    away = client.post("/api/login", login, "application/json", headers={"accept-language": "sv"})
    assert says(away, "sv", "Skolans system fungerar inte just nu. Försök igen om en liten stund.")

    def fail() -> None:
        raise OperationalError

    monkeypatch.setattr("wrapper_project.health._ask_database", fail)
    ready = ask(client, "GET", "/readyz", "sv")
    assert ready.status_code == 503
    assert says(ready, "sv", "Tjänsten går inte att nå just nu. Försök igen om en liten stund.")


def test_a_limit_is_told_in_swedish(elsa: Caller, settings: Settings) -> None:
    settings.LIMITS = {"search": "1/86400"}
    found = [elsa.get("/api/users/search?q=bo", accept_language="sv") for _ in range(2)]
    assert [answer.status_code for answer in found] == [200, 429]
    assert says(
        found[1], "sv", "Det blev för många på kort tid. Försök igen vid den här tiden i morgon."
    )


def test_a_suspension_is_told_in_swedish(elsa: Caller, settings: Settings) -> None:
    settings.CONTACT = "rektor@skola.example"
    until = datetime(2027, 1, 1, 12, tzinfo=UTC)
    suspend_account(Account.objects.get().pk, until=until, reason="Du har hotat någon")
    assert says(
        elsa.get("/api/session", accept_language="sv"),
        "sv",
        "Kontot är avstängt till 1 januari 2027 13:00. Skäl: Du har hotat någon. "
        "Har du frågor? Kontakta rektor@skola.example.",
    )


def test_errors_of_fields_have_the_language_of_each_request(elsa: Caller) -> None:
    """Twice, because REST framework keeps some texts."""
    for _ in range(2):
        for language, long, kind in (
            ("sv", "Skriv högst 80 tecken.", "Ska vara en text."),
            ("en", "Ensure this field has no more than 80 characters.", "Not a valid string."),
        ):
            body = {"displayName": "x" * 81, "pronouns": 1, "website": "ftp://x"}
            answer = elsa.put("/api/profile", body, accept_language=language)
            assert answer.headers["Content-Language"] == language
            fields = answer.json()["fields"]
            assert (fields["displayName"], fields["pronouns"]) == ([long], [kind])
            assert ("Adressen" in fields["website"][0]) == (language == "sv")
            week = elsa.get("/api/schedule?week=54", accept_language=language).json()["fields"]
            assert ("från" in week["week"][0]) == (language == "sv")


@pytest.mark.parametrize(
    ("language", "a_list", "an_object", "a_choice"),
    [
        ("en", "Give a list.", "Give an object.", "This is not one of the choices."),
        ("sv", "Ange en lista.", "Ange ett objekt.", "Det går inte att välja."),
    ],
)
def test_errors_of_fields_have_no_words_of_python(
    elsa: Caller, language: str, a_list: str, an_object: str, a_choice: str
) -> None:
    def fields(method: str, path: str, body: Any) -> Any:
        answer = getattr(elsa, method)(path, body, accept_language=language)
        return answer.json()["fields"]

    settings = "/api/notifications/settings"
    assert fields("patch", settings, {"muted": "x"}) == {"muted": [a_list]}
    assert fields("patch", settings, {"kinds": "x"}) == {"kinds": [an_object]}
    assert fields("patch", settings, {"language": {"a": True}}) == {"language": [a_choice]}
    for widgets, wrong in (
        ("x", {"layout.widgets": [a_list]}),
        (["x"], {"layout.widgets.0": [an_object]}),
    ):
        layout = {"layout": {"version": 1, "widgets": widgets}}
        assert fields("put", "/api/layout", layout) == wrong


def test_a_sentence_of_two_checks_is_said_once(elsa: Caller) -> None:
    answer = elsa.put("/api/profile", {"location": "a\u200b\nb"}).json()
    assert answer["fields"] == {"location": ["This must be one line of plain text."]}


def test_a_form_that_cannot_be_read_is_told_in_swedish(elsa: Caller) -> None:
    answer = elsa.http.post(
        "/api/profile/picture",
        BytesIO(b"nonsense").read(),
        "multipart/form-data",
        headers={"accept-language": "sv"},
    )
    assert answer.json()["fields"] == {
        "body": ["Skicka ett formulär (multipart/form-data) med en bild i."]
    }


def test_signing_in_and_out_is_confirmed_in_swedish(caller: Caller) -> None:
    caller.http.defaults["HTTP_ACCEPT_LANGUAGE"] = "sv"
    signed_in = caller.sign_in("elsa.nordvall")
    assert signed_in.json()["message"] == "Du är inloggad."
    assert signed_in.headers["Content-Language"] == "sv"
    assert caller.post("/api/logout").json()["message"] == "Du är utloggad."


def test_school_data_is_the_same_in_every_language(elsa: Caller) -> None:
    answers = [elsa.get("/api/lunch", accept_language=language) for language in ("sv", "en")]
    assert answers[0].content == answers[1].content
    for answer in answers:
        assert answer.status_code == 200
        assert "Content-Language" not in answer.headers
        assert answer.headers["Vary"] == "Cookie, Authorization"


def test_the_schema_stays_english(client: Client) -> None:
    swedish = ask(client, "GET", "/api/schema", "sv")
    assert swedish.content == ask(client, "GET", "/api/schema", "en").content
    assert "Please sign in." in swedish.content.decode()
    assert ask(client, "GET", "/api/docs", "sv").headers["Content-Language"] == "en"


def page_of(answer: Any, language: str) -> Any:
    """The parsed page, which names its language."""
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]
    page: Any = lxml.html.fromstring(answer.content.decode())
    assert page.get("lang") == language
    return page


@pytest.mark.parametrize(
    ("path", "swedish", "english"),
    [
        ("/", "Ett API framför skolans administrativa system.", "An API in front of a school"),
        ("/stats", "Inget har räknats än.", "Nothing has been counted yet."),
        ("/nothing", GONE["sv"], GONE["en"]),
        ("/shared/token/report", "Vad är fel?", "What is wrong?"),
        ("/admin/login/", "Kod från din autentiseringsapp", "Code of your authenticator app"),
    ],
)
def test_pages_are_in_the_language_of_the_browser(
    path: str, swedish: str, english: str, client: Client, settings: Settings, db: None
) -> None:
    settings.WEB_APP = False  # which would take the front page
    for language, words in (("sv", swedish), ("en", english)):
        answer = ask(client, "GET", path, language, headers={"accept": BROWSER})
        assert words in page_of(answer, language).text_content()


@time_machine.travel("2026-11-20T08:00:00Z", tick=False)
def test_numbers_and_days_are_written_as_in_the_language(
    client: Client, db: None, nothing_counted: None
) -> None:
    for account in range(12):
        counters.count("login", account=account, school="nyvang", times=100)
    counters.flush()
    swedish = page_of(ask(client, "GET", "/stats", "sv"), "sv")
    text = swedish.text_content()
    assert "Inloggningar per dag. Flest: fredag 20 nov, 1\xa0200." in text
    assert (
        "Sign-ins by date. Most: Friday 20 Nov, 1,200."
        in page_of(ask(client, "GET", "/stats", "en"), "en").text_content()
    )
    assert "1,2k" in text
    # A decimal comma would not be a number of a drawing.
    drawn = swedish.xpath("//svg//@x | //svg//@y | //svg//@height | //svg//@width | //svg//@cx")
    assert drawn
    assert all(float(number) >= 0 for number in drawn)


def test_a_locked_sign_in_is_told_in_swedish(client: Client, db: None) -> None:
    form = {"username": "moa", "password": "wrong", "otp_token": "123456"}
    for _ in range(6):
        answer = client.post("/admin/login/", form, headers={"accept-language": "sv"})
    assert answer.status_code == 429
    assert "För många misslyckade inloggningar." in answer.content.decode()


@hypothesis_settings(max_examples=100)
@given(st.text(st.characters(max_codepoint=0xFF, exclude_characters="\r\n"), max_size=600))
@example("sv-" * 1500)
@example(",;q=,;;==,q=1" * 400)
@example("sv;q=99999999999999999999, *;q=-1")
def test_no_header_breaks_an_answer(header: str) -> None:
    answer = Client().get("/api/nothing", headers={"accept-language": header})
    assert answer.status_code == 404
    language = answer.headers["Content-Language"]
    assert says(answer, language, GONE[language])
