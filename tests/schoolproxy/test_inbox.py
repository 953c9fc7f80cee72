"""GET /api/inbox: the school's own messages, read only."""

from typing import Any

import pytest

from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, outcome
from upstream.simulator.files import content_of
from upstream.simulator.request_log import LoggedRequest
from upstream.simulator.server import Simulator

PATH = "/api/inbox"
# Elsa's messages are 73021401 (the oldest) to 73021407.
FOURTH = 73021404


def page(caller: Caller, query: str = "") -> dict[str, Any]:
    answer = caller.get(PATH + query)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def message(caller: Caller, number: int, query: str = "") -> dict[str, Any]:
    answer = caller.get(f"{PATH}/{number}{query}")
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()["message"]
    return body


def read_all(caller: Caller, meanwhile: Any = lambda: None) -> list[int]:
    """The numbers of all messages, page by page."""
    numbers: list[int] = []
    cursor = ""
    for _ in range(20):
        body = page(caller, f"?cursor={cursor}")
        numbers += [int(each["id"]) % 100 for each in body["messages"]]
        if body["next"] is None:
            return numbers
        cursor = body["next"]
        meanwhile()
    raise AssertionError(numbers)


def test_the_list_has_no_texts(elsa: Caller) -> None:
    body = page(elsa)
    assert (body["total"], body["next"]) == (7, None)
    assert [each["id"] for each in body["messages"]] == [str(73021400 + n) for n in range(7, 0, -1)]
    fourth = body["messages"][3]
    assert fourth == {
        "id": str(FOURTH),
        "subject": "Sv: Utflykt till Ekängen",
        "preview": "Hej 4, ta med mats...",
        "from": {"name": "Torbjörn Ekvik", "isStaff": True},
        "date": fourth["date"],
        "unread": True,
        "hasAttachments": True,
    }
    assert fourth["date"].endswith("T10:54")
    assert {each["unread"] for each in body["messages"]} == {True, False, None}
    assert {each["from"]["name"]: each["from"]["isStaff"] for each in body["messages"]} == {
        "Torbjörn Ekvik": True,
        "Åsa Lindroos": True,
        "SchoolSoft": False,
        "Sixten Sjölin": False,
    }


def test_one_request_serves_the_list_and_each_message(elsa: Caller, simulator: Simulator) -> None:
    for each in page(elsa)["messages"]:
        assert message(elsa, each["id"]).items() >= each.items()
    assert simulator.requests.count_operation("inbox") == 1


def test_names_of_other_families_stay_out(elsa: Caller) -> None:
    whole = message(elsa, FOURTH)
    assert whole["to"] == ["Elsa Nordvall", "Åsa Lindroos"]
    assert whole["hiddenRecipients"] == 2
    assert whole["text"].startswith("Hej 4,\nta med matsäck 😃")
    assert 'href="https://bjorkdalen.example/karta"' in whole["html"]
    assert "Ömer" not in str(whole)
    own = message(elsa, 73021403)
    assert (own["to"], own["hiddenRecipients"]) == (["Elsa Nordvall"], 0)


def test_nothing_is_marked_as_read(elsa: Caller, simulator: Simulator) -> None:
    """The fixture `simulator` holds it for every test; here, that it could fail."""
    for each in page(elsa)["messages"]:
        message(elsa, each["id"])
        elsa.get(f"{PATH}/{each['id']}/attachments/{each['id']}0").close()
    assert simulator.requests.count("right_student_message.jsp")
    assert {request.action for request in simulator.requests} <= {""}
    assert simulator.requests.written == []
    assert page(elsa, "?cursor=")["messages"][3]["unread"] is True


@pytest.mark.parametrize(
    ("method", "page", "action", "writes"),
    [
        ("GET", "message", "view", True),
        ("GET", "news", "view", False),
        ("GET", "news", "update", True),
        ("POST", "message", "", True),
        ("GET", "message", "", False),
    ],
)
def test_what_counts_as_writing(method: str, page: str, action: str, writes: bool) -> None:
    path = f"/bjorkdalen/jsp/student/right_student_{page}.jsp"
    request = LoggedRequest(method, path, "bjorkdalen", "x", action=action)
    assert request.writes is writes


def test_47_messages_are_read_once_each(elsa: Caller, simulator: Simulator) -> None:
    simulator.state.settings.messages = 47
    assert read_all(elsa) == [*range(47, 0, -1)]


@pytest.mark.parametrize("arriving", [1, 7, 17, 25])
def test_messages_that_arrive_meanwhile(elsa: Caller, simulator: Simulator, arriving: int) -> None:
    simulator.state.settings.messages = 47
    left = [arriving]

    def arrive() -> None:
        simulator.state.settings.messages += left.pop() if left else 0

    assert read_all(elsa, arrive) == [*range(47, 0, -1)]


@pytest.mark.parametrize("gone", [{47}, {30, 28}, {47, 46, 45, 44}, {28, 27}])
def test_messages_that_disappear_meanwhile(
    elsa: Caller, simulator: Simulator, gone: set[int]
) -> None:
    simulator.state.settings.messages = 47
    numbers = read_all(elsa, lambda: simulator.state.gone_messages.update(gone))
    assert len(set(numbers)) == len(numbers)
    assert set(numbers) | gone == {*range(1, 48)}


def test_a_message_of_a_later_page(elsa: Caller, simulator: Simulator) -> None:
    simulator.state.settings.messages = 47
    assert message(elsa, 73021402)["id"] == "73021402"


@pytest.mark.parametrize("cursor", ["x", "5", "-1", "1-", "9999999-1", "å", "1-1-1-1-1-1-1"])
def test_another_cursor_is_400(elsa: Caller, simulator: Simulator, cursor: str) -> None:
    answer = elsa.get(f"{PATH}?cursor={cursor}")
    assert outcome(answer) == (400, "invalid_input")
    assert list(answer.json()["fields"]) == ["cursor"]
    assert not simulator.requests.count_operation("inbox")


def test_a_cursor_that_nobody_gave(elsa: Caller, simulator: Simulator) -> None:
    assert page(elsa, "?cursor=900000-1")["messages"] == []
    assert simulator.requests.count_operation("inbox") <= 4


@pytest.mark.parametrize("number", ["1", "73021704", "0", "9" * 19, "9" * 20, "x"])
def test_another_id_is_404(elsa: Caller, number: str) -> None:
    for path in (f"{PATH}/{number}", f"{PATH}/{number}/attachments/{number}0"):
        assert outcome(elsa.get(path)) == (404, "not_found")
    assert outcome(elsa.get(f"{PATH}/{FOURTH}/attachments/1")) == (404, "not_found")


def test_a_file_of_a_message(elsa: Caller) -> None:
    [file] = message(elsa, FOURTH)["attachments"]
    assert file == {
        "id": f"{FOURTH}0",
        "name": "Veckobrev v 12.pdf",
        "type": "pdf",
        "sizeText": "141 KB",
        "url": f"http://testserver{PATH}/{FOURTH}/attachments/{FOURTH}0",
    }
    assert elsa.get(file["url"]).getvalue() == content_of("x.pdf")


def test_two_children_interleaved(eva: Caller) -> None:
    for child, other in ((BO, ALVA), (ALVA, BO)) * 2:
        own = int(child) * 100 + 4
        assert page(eva, f"?child={child}")["messages"][3]["id"] == str(own)
        whole = message(eva, own, f"?child={child}")
        assert whole["to"] == ["Bo Ek" if child == BO else "Alva Lind", "Åsa Lindroos"]
        assert whole["attachments"][0]["url"].endswith(f"?child={child}")
        assert outcome(eva.get(f"{PATH}/{own}?child={other}")) == (404, "not_found")


def test_teachers_are_refused_without_a_call(simulator: Simulator, db: None) -> None:
    torbjorn = signed_in("torbjörn.ekvik")
    torbjorn.get("/api/session")
    simulator.requests.clear()
    for path in (PATH, f"{PATH}/1", f"{PATH}/1/attachments/1"):
        assert outcome(torbjorn.get(path)) == (403, "not_for_this_role")
    assert len(simulator.requests) == 0


@pytest.mark.parametrize("count", [0, 1])
def test_few_messages(elsa: Caller, simulator: Simulator, count: int) -> None:
    simulator.state.settings.messages = count
    body = page(elsa)
    assert (len(body["messages"]), body["total"], body["next"]) == (count, count, None)


def test_an_unknown_page_is_an_error(elsa: Caller, simulator: Simulator) -> None:
    simulator.faults.set("inbox", "answer", body="<h1>Nytt!</h1>")
    assert outcome(elsa.get(PATH)) == (502, "upstream_changed")
