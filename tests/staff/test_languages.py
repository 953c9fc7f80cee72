"""The staff site in Swedish."""

import re
from typing import Any

import lxml.html
import pytest
from django.test import Client

from social.models import Case
from staff.models import AuditEntry, StaffMember
from tests.architecture.catalogues import swedish_entries
from tests.conftest import Caller
from tests.notes.notes import added, shared
from tests.social_actions import dm_of, new_group, report, say
from tests.staff.cases import CasePage, page_of
from tests.staff.conftest import Enter, open_list

SWEDISH = {"accept-language": "sv-SE,sv;q=0.9"}
# Words that English sentences are full of, and Swedish ones never have.
ENGLISH = re.compile(r"\b(?:the|this|of|you|your|they|who|was|were|when|with|reported)\b", re.I)
REASON = "En elev bad om hjälp."
# The lists of moderators, and words on each.
MODERATORS_LISTS = {
    "accounts/account": ["Användarnamn", "Skola", "Avstängd", "Skapad"],
    "accounts/profile": ["Visningsnamn", "Publikt namn", "Roll", "Ändrad", "elev"],
    "social/case": ["Profil", "Mobbning", "öppet"],
    "social/conversation": ["konversation mellan två", "inte krypterad"],
    "social/invite": ["gruppinbjudningar", "väntar på svar"],
    "notes/countdown": ["nedräkningar", "något annat"],
    "notes/sharelink": ["delningslänkar"],
}
OPERATORS_LISTS = ("accounts/servicesession", "accounts/auditentry", "accounts/staffmember")


def _patterns() -> list[re.Pattern[str]]:
    """The English sentences that have another text in Swedish; a placeholder is anything."""
    found = []
    for entry in swedish_entries():
        if len(entry.msgid) > 8 and entry.msgid not in entry.texts:
            parts = re.split(r"%\(\w+\)[sd]|%[sd]|\{[^}]*\}", entry.msgid)
            found.append(re.compile(r"\b" + ".+?".join(map(re.escape, parts))))
    return found


PATTERNS = _patterns()


def in_swedish(client: Client) -> Client:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = SWEDISH["accept-language"]
    return client


def english_on(answer: Any) -> list[str]:
    """The texts of a page that are in English."""
    assert answer.status_code == 200
    assert answer.headers["Content-Language"] == "sv"
    document: Any = lxml.html.fromstring(answer.content.decode())
    assert document.get("lang") == "sv"
    texts = document.xpath(
        "//text()[not(ancestor::script or ancestor::style)] | //@aria-label | //@alt | //@title"
        " | //@placeholder | //input[@type='submit']/@value"
    )
    lines = [" ".join(text.split()) for text in texts]
    return [
        line
        for line in lines
        if ENGLISH.search(line) or any(pattern.search(line) for pattern in PATTERNS)
    ]


@pytest.fixture
def moa(enter: Enter) -> Client:
    return in_swedish(enter())


def write_something(elsa: Caller) -> None:
    """A row in each list of moderators."""
    elsa.post("/api/countdowns", {"title": "Prov", "targetDate": "2027-05-11"})
    shared(elsa, added(elsa, title="Biologi", content="Cellen"))
    dm_of(elsa, "bo.ek")
    new_group(elsa, "bo.ek")
    report(elsa, "profile", "bo.ek")


def swedish_list(client: Client, path: str) -> str:
    """The words of a list, which is in Swedish like the page of its first row."""
    answer = open_list(client, f"/admin/{path}/", REASON)
    assert english_on(answer) == [], path
    document: Any = lxml.html.fromstring(answer.content.decode())
    row = document.xpath("//table[@id='result_list']//th/a/@href")[0]
    assert english_on(client.get(row)) == [], path
    return str(document.text_content()).lower()


def test_the_lists_and_pages_of_moderators_are_in_swedish(
    elsa: Caller, bo: Caller, moa: Client
) -> None:
    write_something(elsa)
    for path, words in MODERATORS_LISTS.items():
        text = swedish_list(moa, path)
        assert [word for word in words if word.lower() not in text] == [], path


def test_the_lists_and_pages_of_operators_are_in_swedish(elsa: Caller, enter: Enter) -> None:
    client = in_swedish(enter("operator"))
    for path in OPERATORS_LISTS:
        swedish_list(client, path)


def test_the_front_page_is_in_swedish(elsa: Caller, bo: Caller, moa: Client) -> None:
    write_something(elsa)
    answer = moa.get("/admin/")
    assert english_on(answer) == []
    for words in ("öppet ärende", "Att ta hand om", "De senaste 30 dagarna", "Anmälningar"):
        assert words in answer.content.decode()


def test_the_question_for_a_reason_is_in_swedish(elsa: Caller, moa: Client) -> None:
    page = "/admin/accounts/account/"
    answer = moa.get(page)
    assert english_on(answer) == []
    assert "Skriv varför du öppnar listan." in answer.content.decode()
    moa.handler.enforce_csrf_checks = False
    assert english_on(moa.post(page, {"list_reason": "kort"})) == []


def test_the_case_of_a_message_is_in_swedish(elsa: Caller, bo: Caller, moa: Client) -> None:
    message = say(bo, dm_of(elsa, "bo.ek"), "Jag hittar dig")
    report(elsa, "message", message["id"], "Han hotar mig.")
    path = f"/api/conversations/{message['conversationId']}/{message['id']}"
    assert bo.patch(path, {"action": "edit", "content": "Ha det bra"}).status_code == 200
    case = CasePage(moa, page_of())
    assert english_on(moa.get(case.address)) == []
    case.open(REASON)
    assert english_on(moa.get(case.address)) == []
    empty = moa.post(case.address, case.fields() | {"do": "warn", "warn-words": ""})
    assert english_on(empty) == []
    assert case.do("hide_message") == "Dölj meddelandet: klart."
    assert case.do("warn", **{"warn-words": "Skriv inte så."}) == "Varna personen: klart."
    assert case.do("suspend", **{"suspend-words": "Du har hotat någon."}).startswith("Stäng av")
    for kept in ("Avstängd sedan", "Häv avstängningen", "efter anmälan"):
        assert kept in case.text()
    assert english_on(moa.get(case.address)) == []
    assert case.do("close", **{"close-note": ""}) == "Ärendet är avslutat."
    assert english_on(moa.get(case.address)) == []


@pytest.mark.parametrize("kind", ["profile", "note", "group"])
def test_the_case_of_anything_else_is_in_swedish(
    kind: str, elsa: Caller, bo: Caller, moa: Client
) -> None:
    if kind == "profile":
        bo.put("/api/profile", {"bio": "Hej"})
        target = "bo.ek"
    elif kind == "note":
        target = shared(elsa, added(elsa, title="Biologi", content="Cellen"))
    else:
        target = new_group(elsa, "bo.ek")
    report(elsa, kind, target)
    case = CasePage(moa, page_of()).open(REASON)
    assert english_on(moa.get(case.address)) == []
    for raw in ("published", "draft", " none"):
        assert raw not in case.text()


def test_the_page_of_a_member_of_staff_is_in_swedish(enter: Enter) -> None:
    enter()
    ole = in_swedish(enter("operator", "ole"))
    for member in StaffMember.objects.all():
        answer = ole.get(f"/admin/accounts/staffmember/{member.pk}/change/")
        assert english_on(answer) == []
    assert "driftansvarig" in answer.content.decode()


def test_the_audit_log_is_in_swedish(elsa: Caller, bo: Caller, enter: Enter) -> None:
    report(elsa, "profile", "bo.ek")
    CasePage(enter(), page_of()).open(REASON).do("remove_avatar")
    assert Case.objects.get().opened_at
    ole = in_swedish(enter("operator", "ole"))
    answer = open_list(ole, "/admin/accounts/auditentry/", REASON)
    assert english_on(answer) == []
    for label in ("Öppna ärendet", "Titta på en sida"):
        assert label in answer.content.decode()
    entry = AuditEntry.objects.earliest("at")
    assert english_on(ole.get(f"/admin/accounts/auditentry/{entry.pk}/change/")) == []


@pytest.mark.parametrize(
    ("language", "pattern"),
    [("sv", r"\d [a-zå]+ \d{4} \d\d:\d\d"), ("en", r"\d [A-Z][a-z]+ \d{4} \d\d:\d\d")],
)
def test_times_are_written_as_in_the_language(
    language: str, pattern: str, elsa: Caller, enter: Enter
) -> None:
    client = enter()
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    page = open_list(client, "/admin/accounts/account/").content.decode()
    assert re.search(pattern, page)
    assert not re.search(r"[ap]\.m\.|\d+/\d+/\d{4}", page)


def test_a_wrong_code_is_told_in_swedish(enter: Enter) -> None:
    enter()
    client = Caller().http
    form = {"username": "moa", "password": "wrong", "otp_token": "123456"}
    page = client.post("/admin/login/", form, headers=SWEDISH).content.decode()
    assert "personalkonto" in page
    assert "User name" not in page
