"""GET /api/news/articles and GET /api/news/{id}: what the school wrote, in full."""

from typing import Any

import pytest

from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, outcome
from upstream.simulator.news import CLASS_LETTER
from upstream.simulator.server import Simulator

PATH = "/api/news/articles"
# The letters of the classes 8C (Elsa and Bo) and 8B (Alva).
LETTER, ALVAS = CLASS_LETTER + 412, CLASS_LETTER + 411


def article(caller: Caller, number: int | str, query: str = "") -> dict[str, Any]:
    answer = caller.get(f"/api/news/{number}{query}")
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()["article"]
    return body


def listed(caller: Caller, query: str = "") -> list[dict[str, Any]]:
    answer = caller.get(PATH + query)
    assert answer.status_code == 200, answer.content
    body: list[dict[str, Any]] = answer.json()["articles"]
    return body


def serve(simulator: Simulator, inner: str) -> None:
    page = (
        '<div class="h2_container"><div id="accordion-group7" class="accordion-group">'
        '<div class="accordion-heading-left"><span>Lov</span></div><div class="accordion-inner">'
        f'<div class="accordion_inner_left">{inner}</div></div></div></div>'
    )
    headers = {"Content-Type": "text/html; charset=UTF-8"}
    simulator.faults.set("news.page", "answer", body=page, headers=headers)


def test_the_list_is_the_newest_first_without_texts(elsa: Caller) -> None:
    articles = listed(elsa)
    days = [one["publishedAt"] for one in articles]
    assert days == sorted(days, reverse=True)
    assert articles[0]["id"] == str(LETTER)
    assert articles[0].keys() == {
        *("id", "title", "preview", "category", "publishedAt", "author", "hasAttachments", "older"),
    }
    assert articles[0]["author"] == {"name": "Åsa Lindroos", "isStaff": True}
    assert articles[0]["hasAttachments"] is True


def test_the_older_ones_are_on_another_page(elsa: Caller) -> None:
    current, older = listed(elsa), listed(elsa, "?type=older")
    assert not {one["id"] for one in current} & {one["id"] for one in older}
    assert {one["older"] for one in older} == {True}
    assert article(elsa, older[0]["id"])["older"] is True


def test_another_type_is_400(elsa: Caller, simulator: Simulator) -> None:
    for wrong in ("new", "OLDER", "1", "å"):
        answer = elsa.get(f"{PATH}?type={wrong}")
        assert outcome(answer) == (400, "invalid_input"), wrong
        assert list(answer.json()["fields"]) == ["type"]
    assert not simulator.requests.count("news.page")


def test_one_request_serves_the_list_and_each_article(elsa: Caller, simulator: Simulator) -> None:
    for one in listed(elsa):
        assert article(elsa, one["id"]).items() >= one.items()
    assert simulator.requests.count("news.page") == 1


@pytest.mark.parametrize("dates", ["hidden", "visible", "none"])
def test_dates_are_iso_dates_or_null(elsa: Caller, simulator: Simulator, dates: str) -> None:
    usual = article(elsa, LETTER)
    simulator.state.settings.set("news_dates", dates)
    answer = elsa.get(f"/api/news/{LETTER}", **{"Cache-Control": "no-cache"})
    shown = answer.json()["article"]
    assert shown["publishedAt"] == usual["publishedAt"]
    assert shown["visibleUntil"] == (None if dates == "none" else usual["visibleUntil"])


def test_an_article_has_its_text_question_and_files(elsa: Caller) -> None:
    whole = article(elsa, LETTER)
    assert whole["text"] == "Till alla i 8C."
    assert whole["groups"] == ["8A", "8B", "8C"]
    pdf, document = whole["attachments"]
    assert pdf == {
        "id": f"{LETTER}0",
        "name": "Veckobrev v 12.pdf",
        "type": "pdf",
        "sizeText": "141 KB",
        "url": f"http://testserver/api/news/{LETTER}/attachments/{LETTER}0",
    }
    assert (document["name"], document["type"]) == ("Karta till Ekängen (ny).docx", "document")
    questions = [article(elsa, one["id"])["question"] for one in listed(elsa)]
    assert {"label": "Vi kommer på mötet"} in questions
    assert None in questions


def test_a_letter_that_is_only_a_file_has_an_empty_text(elsa: Caller) -> None:
    whole = [article(elsa, one["id"]) for one in listed(elsa)]
    empty = [one for one in whole if not one["text"]]
    assert empty
    assert all(one["html"] == "" and one["attachments"] for one in empty)


def test_only_pictures_of_the_same_article_are_shown(elsa: Caller) -> None:
    whole = [article(elsa, one["id"]) for one in listed(elsa)]
    shown = [one for one in whole if "<img" in one["html"]]
    assert shown
    for one in shown:
        [picture] = [file for file in one["attachments"] if file["type"] == "image"]
        assert one["html"].count("<img") == 1
        assert f'src="{picture["url"]}?inline=1"' in one["html"]
    for one in whole:
        assert "showFileImage" not in one["html"]
        assert "smiley" not in one["html"]
        assert "4be1f09c7a6d" not in str(one)


def test_links_that_were_typed_twice_are_mended_and_videos_are_links(
    elsa: Caller, simulator: Simulator
) -> None:
    serve(
        simulator,
        '<p>😃 <a href="http:/lov.example/a">a</a><a href="https://https://mat.example/b">b</a>'
        '<a href="javascript:alert(1)" onclick="alert(1)">c</a><script>alert(1)</script>'
        '<svg onload="alert(1)"></svg><iframe src="https://film.example/7" title="Filmen"></iframe>'
        '<img src="https://tracker.example/1.gif" alt="bild"><img src=x onerror="alert(1)">',
    )
    whole = article(elsa, 7)
    assert 'href="http://lov.example/a"' in whole["html"]
    assert 'href="https://mat.example/b"' in whole["html"]
    assert 'href="https://film.example/7"' in whole["html"]
    assert "😃" in whole["text"]
    assert "bild" in whole["text"]
    for wrong in ("alert", "javascript", "tracker", "<img", "<svg", "<iframe", "onload"):
        assert wrong not in whole["html"]


@pytest.mark.parametrize("number", ["1", "0", "9" * 18, "9" * 20, "-1", "x", "7%2f8"])
def test_an_id_of_nothing_is_404(elsa: Caller, number: str) -> None:
    assert outcome(elsa.get(f"/api/news/{number}")) == (404, "not_found")


def test_a_letter_of_another_class_is_404_with_the_same_bytes(elsa: Caller) -> None:
    foreign, nothing = elsa.get(f"/api/news/{ALVAS}"), elsa.get("/api/news/1")
    assert foreign.status_code == 404
    assert foreign.content == nothing.content


def test_two_children_interleaved(eva: Caller) -> None:
    for child, own, other in ((BO, LETTER, ALVAS), (ALVA, ALVAS, LETTER)) * 2:
        assert str(own) in [one["id"] for one in listed(eva, f"?child={child}")]
        whole = article(eva, own, f"?child={child}")
        assert whole["attachments"][0]["url"].endswith(f"/{own}0?child={child}")
        assert outcome(eva.get(f"/api/news/{other}?child={child}")) == (404, "not_found")
    with_school = article(eva, LETTER, f"?child={BO}&org=41")
    assert with_school["attachments"][0]["url"].endswith(f"?child={BO}&org=41")


def test_teachers_are_refused_without_a_call(simulator: Simulator, db: None) -> None:
    torbjorn = signed_in("torbjörn.ekvik")
    torbjorn.get("/api/session")
    simulator.requests.clear()
    for path in (PATH, f"/api/news/{LETTER}"):
        assert outcome(torbjorn.get(path)) == (403, "not_for_this_role")
    assert len(simulator.requests) == 0


def test_an_unknown_page_is_an_error_not_an_empty_list(elsa: Caller, simulator: Simulator) -> None:
    simulator.faults.set(
        *("news.page", "answer"),
        body="<html><body><h1>Nytt utseende!</h1></body></html>",
        headers={"Content-Type": "text/html"},
    )
    for path in (PATH, f"/api/news/{LETTER}"):
        answer = elsa.get(path)
        assert outcome(answer) == (502, "upstream_changed")
        assert "utseende" not in answer.text


def test_no_news_is_an_empty_list(elsa: Caller, simulator: Simulator) -> None:
    page = '<div class="h2_container"><p>Det finns inga nyheter.</p></div>'
    simulator.faults.set("news.page", "answer", body=page, headers={"Content-Type": "text/html"})
    assert listed(elsa) == []


def test_a_picture_that_was_pasted_as_three_megabytes_of_text(
    elsa: Caller, simulator: Simulator
) -> None:
    pasted = f'<img src="data:image/png;base64,{"iVBORw0K" * 400_000}">'
    serve(simulator, f"<p>Lov</p>{pasted}<p>Ledigt</p>")
    assert article(elsa, 7)["text"] == "Lov\nLedigt"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<p>Vi ses på torsdag.</p>" * 83_000, "answer_too_large"),
        (f'<img src="data:image/png;base64,{"iVBORw0K" * 530_000}">', "answer_too_large"),
        ("<p>a</p>" * 60_000, "upstream_changed"),
    ],
    ids=["2-mb", "pasted-4-mb", "tags"],
)
def test_an_article_that_is_too_long_is_an_error(
    elsa: Caller, simulator: Simulator, text: str, code: str
) -> None:
    serve(simulator, text)
    assert outcome(elsa.get(PATH)) == (502, code)
