"""GET /api/news: the news of the start page."""

import pytest

from tests.conftest import Caller
from upstream.simulator.server import Simulator

PATH = "/api/news"


def serve(simulator: Simulator, page: str) -> None:
    simulator.faults.set(
        "news",
        "answer",
        body=page.encode("cp1252"),
        headers={"Content-Type": "text/html; charset=ISO-8859-1"},
    )


BOX = """<html><body><div id="news_con_content">
<div class="h3_bold">Skolledningen</div><table>
<tr><td><a class="toplist-item" href="x.jsp?requestid=7&type=1"><div class="heading_bold">
Studiedag&nbsp;–  20&nbsp;mars</div><div>St&auml;ngt … &lt;b&gt;</div></a></td></tr>
<tr><td><a class="toplist-item" href="x.jsp?type=1"><div class="heading_bold">Utan id</div>
</a></td></tr></table></div></body></html>"""


def test_items_are_plain_text_in_page_order(elsa: Caller, simulator: Simulator) -> None:
    serve(simulator, BOX)
    assert elsa.get(PATH).json() == {
        "success": True,
        "data": [
            {
                "id": "7",
                "title": "Studiedag – 20 mars",
                "preview": "Stängt … <b>",
                "category": "Skolledningen",
            },
            {"id": None, "title": "Utan id", "preview": None, "category": "Skolledningen"},
        ],
    }


@pytest.mark.parametrize("layout", ["box", "accordion", "bare-links"])
def test_each_layout_is_read_without_duplicates(
    elsa: Caller, simulator: Simulator, layout: str
) -> None:
    simulator.state.settings.set("start_page", layout)
    items = elsa.get(PATH).json()["data"]
    assert len(items) >= 10
    assert len({str(item) for item in items}) == len(items)
    for item in items:
        assert item.keys() == {"id", "title", "preview", "category"}
        assert item["title"] == " ".join(item["title"].split())
        assert "&" not in item["title"].replace(" & ", "")


@pytest.mark.parametrize("layout", ["empty-box", "no-box"])
def test_a_page_without_news_is_an_empty_list(
    elsa: Caller, simulator: Simulator, layout: str
) -> None:
    simulator.state.settings.set("start_page", layout)
    assert elsa.get(PATH).json() == {"success": True, "data": []}


def test_an_unknown_page_is_an_error_not_an_empty_list(elsa: Caller, simulator: Simulator) -> None:
    serve(simulator, "<html><body><h1>Nytt utseende!</h1></body></html>")
    answer = elsa.get(PATH)
    assert (answer.status_code, answer.json()["code"]) == (502, "upstream_changed")
    assert "utseende" not in answer.text


def test_a_refused_page_is_403_and_the_session_stays(elsa: Caller, simulator: Simulator) -> None:
    simulator.faults.set("news", "302-blocked")
    answer = elsa.get(PATH)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_for_this_login")
    assert elsa.get("/api/session").status_code == 200
