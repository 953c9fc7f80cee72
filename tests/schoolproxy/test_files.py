"""The bytes of attached files: types, names, refusals, retries, limits, and what stays secret."""

import gzip
from typing import Any

import pytest
from django.http import StreamingHttpResponse
from pytest_django.fixtures import Settings

import store
from tests.conftest import Caller, signed_in
from tests.schoolproxy.family import ALVA, BO, outcome
from tests.schoolproxy.test_articles import ALVAS, LETTER, listed
from upstream.calls import files
from upstream.shared_client import client
from upstream.simulator.files import content_of
from upstream.simulator.server import Simulator

PDF = f"/api/news/{LETTER}/attachments/{LETTER}0"
DOCUMENT = f"/api/news/{LETTER}/attachments/{LETTER}1"
SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'"
REFUSAL = (
    "<html><body><div class='alert alert-error'><span class='message-text'>Du är inte behörig"
    "</span></div></body></html>"
).encode("latin-1")
CANARY = "c4na7y51gnatu2e"


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "WAITS", (0.01, 0.02, 0.04))


def body_of(answer: Any) -> bytes:
    assert isinstance(answer, StreamingHttpResponse), answer.content
    return bytes(answer.getvalue())


def other_files(caller: Caller) -> dict[str, str]:
    """The paths of files in other articles, by their names."""
    paths: dict[str, str] = {}
    for one in listed(caller):
        for file in caller.get(f"/api/news/{one['id']}").json()["article"]["attachments"]:
            paths[file["name"]] = file["url"].removeprefix("http://testserver")
    return paths


def fail(simulator: Simulator, operation: str, body: bytes, **headers: str) -> None:
    simulator.faults.set(operation, "answer", body=body, headers=headers)


def held_slots() -> int:
    return client().downloads.held


def test_a_file_is_passed_on_as_it_is(elsa: Caller) -> None:
    answer = elsa.get(PDF)
    assert (answer.status_code, body_of(answer)) == (200, content_of("x.pdf"))
    assert answer.headers["Content-Type"] == "application/pdf"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="Veckobrev v 12.pdf"'
    assert answer.headers["Content-Length"] == str(len(content_of("x.pdf")))
    assert answer.headers["Content-Security-Policy"] == SANDBOX
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


def test_pictures_and_pdfs_can_be_shown(elsa: Caller) -> None:
    picture = elsa.get(other_files(elsa)["IMG_2291.PNG"] + "?inline=1")
    assert body_of(picture).startswith(b"\x89PNG")
    assert picture.headers["Content-Type"] == "image/png"
    assert picture.headers["Content-Disposition"].startswith("inline; filename=")
    assert picture.headers["Content-Security-Policy"] == SANDBOX
    pdf = elsa.get(PDF + "?inline=1")
    assert pdf.headers["Content-Disposition"].startswith("inline")
    assert "sandbox" not in pdf.headers["Content-Security-Policy"]
    assert "frame-ancestors 'self'" in pdf.headers["Content-Security-Policy"]
    assert outcome(elsa.get(PDF + "?inline=yes")) == (400, "invalid_input")


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><script>alert(1)</script>",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"<html>%PDF-1.4 <script>alert(1)</script>",
        b"<html>\x89PNG\r\n\x1a\n<script>alert(1)</script>",
    ],
)
def test_what_could_run_is_only_saved(elsa: Caller, simulator: Simulator, body: bytes) -> None:
    fail(simulator, "file.bytes", body, **{"Content-Type": "text/html"})
    answer = elsa.get(PDF + "?inline=1")
    assert body_of(answer) == body
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["Content-Security-Policy"] == SANDBOX


def test_an_html_file_is_a_file(elsa: Caller, simulator: Simulator) -> None:
    path = other_files(elsa)["Anmälan.html"]
    answer = elsa.get(path)
    assert b"<script>" in body_of(answer)
    assert "filename*=utf-8''Anm%C3%A4lan.html" in answer.headers["Content-Disposition"]
    fail(simulator, "file", content_of("x.html"), **{"Content-Type": "text/html"})
    assert body_of(elsa.get(path)) == content_of("x.html")


def test_the_page_of_refusal_is_404(elsa: Caller, simulator: Simulator) -> None:
    fail(simulator, "file", REFUSAL, **{"Content-Type": "text/html; charset=ISO-8859-1"})
    assert outcome(elsa.get(PDF)) == (404, "not_found")
    assert elsa.get("/api/session").status_code == 200
    assert held_slots() == 0


@pytest.mark.parametrize(
    ("operation", "fault", "result"),
    [
        ("file", "200-html", (401, "not_signed_in")),
        ("file", "302-login", (401, "not_signed_in")),
        ("file", "401", (401, "not_signed_in")),
        ("file", "403", (404, "not_found")),
        ("file", "404", (404, "not_found")),
        ("file", "302-blocked", (403, "not_for_this_login")),
        ("file", "redirect-elsewhere", (502, "upstream_invalid")),
        ("file.bytes", "redirect-elsewhere", (502, "upstream_invalid")),
        ("file", "500", (503, "upstream_failing")),
        ("file.bytes", "429", (503, "upstream_throttled")),
        ("file.bytes", "404", (404, "not_found")),
        ("file.bytes", "403", (404, "not_found")),
        ("file.bytes", "reset", (503, "upstream_unreachable")),
        ("file.bytes", "gzip-bomb", (502, "upstream_invalid")),
    ],
)
def test_what_the_school_refuses(
    elsa: Caller, simulator: Simulator, operation: str, fault: str, result: tuple[int, str]
) -> None:
    elsa.get(f"/api/news/{LETTER}")
    simulator.faults.set(operation, fault)
    assert outcome(elsa.get(PDF)) == result
    assert held_slots() == 0


@pytest.mark.parametrize(
    "location",
    [
        "http://elsewhere.example/files/bjorkdalen/a.tmp?md5=1",
        "//elsewhere.example/files/bjorkdalen/a.tmp",
        "http://127.0.0.1:1/files/bjorkdalen/a.tmp",
        "/files/nyvang/a.tmp?md5=1",
        "/files/bjorkdalen/../../bjorkdalen/jsp/student/right_student_message.jsp?action=view",
        "/bjorkdalen/jsp/student/right_student_news.jsp?action=update",
        "http://[",
        "",
    ],
)
def test_only_a_file_of_the_school_is_followed(
    elsa: Caller, simulator: Simulator, location: str
) -> None:
    elsa.get(f"/api/news/{LETTER}")
    simulator.requests.clear()
    simulator.faults.set("file", "answer", status=302, headers={"Location": location})
    assert outcome(elsa.get(PDF)) == (502, "upstream_invalid")
    assert [request.operation for request in simulator.requests] == ["file"]


def test_exactly_one_redirect_is_followed(elsa: Caller, simulator: Simulator) -> None:
    again = "/files/bjorkdalen/again.tmp"
    simulator.faults.set("file.bytes", "answer", status=302, headers={"Location": again})
    assert outcome(elsa.get(PDF)) == (502, "upstream_invalid")
    assert simulator.requests.count_operation("file.bytes") == 1


def test_a_file_that_is_not_ready_is_asked_for_again_at_the_page(
    elsa: Caller, simulator: Simulator
) -> None:
    elsa.get(f"/api/news/{LETTER}")
    simulator.requests.clear()
    simulator.faults.set("file.bytes", "404", times=2)
    assert body_of(elsa.get(PDF)) == content_of("x.pdf")
    assert [request.operation for request in simulator.requests] == [
        *("file", "file.bytes", "file", "file.bytes"),
        *("news.page", "file", "file.bytes"),
    ]


def test_a_length_that_is_too_large_is_413(elsa: Caller, simulator: Simulator) -> None:
    simulator.state.settings.file_bytes = 25 * 1024 * 1024 + 1
    assert outcome(elsa.get(PDF)) == (413, "too_large")
    assert held_slots() == 0
    simulator.state.settings.file_bytes = 25 * 1024 * 1024
    assert len(body_of(elsa.get(PDF))) == 25 * 1024 * 1024


@pytest.mark.parametrize("fault", ["huge", "cut"])
def test_a_transfer_that_breaks_off_is_broken_off(
    elsa: Caller, simulator: Simulator, fault: str
) -> None:
    simulator.state.settings.file_bytes = 1024 * 1024
    simulator.faults.set("file.bytes", fault)
    answer = elsa.get(PDF)
    assert answer.status_code == 200
    with pytest.raises(ConnectionResetError):
        body_of(answer)
    assert held_slots() == 0


def test_a_slot_is_given_back_without_reading(elsa: Caller, simulator: Simulator) -> None:
    simulator.state.settings.file_bytes = 8 * 1024 * 1024
    answer = elsa.get(PDF)
    assert held_slots() == 1
    answer.close()
    assert held_slots() == 0
    elsa.http.head(PDF).close()
    assert held_slots() == 0


def test_downloads_have_slots_of_their_own(
    elsa: Caller, simulator: Simulator, settings: Settings
) -> None:
    settings.WEB_THREADS = 8
    bo = signed_in("bo.ek")
    first = elsa.get(PDF)
    refused = elsa.get(PDF)
    assert outcome(refused) == (503, "bulkhead_full")
    assert refused.headers["Retry-After"] == "5"
    second = bo.get(PDF)
    assert outcome(signed_in("bo.ek").get(PDF)) == (503, "bulkhead_full")
    assert elsa.get("/api/schedule?week=11").status_code == 200
    assert body_of(first) == body_of(second)


def test_sixty_a_minute_for_a_person(elsa: Caller, settings: Settings) -> None:
    settings.LIMITS = {"downloads": "2/60"}
    for _ in range(2):
        body_of(elsa.get(PDF))
    refused = elsa.get(DOCUMENT)
    assert outcome(refused) == (429, "too_many_requests")
    assert outcome(signed_in().get(PDF)) == (429, "too_many_requests")
    assert signed_in("bo.ek").get(PDF).status_code == 200


@pytest.mark.parametrize("file", [f"{ALVAS}0", "1", "9" * 19, "9" * 20, "x", ".."])
def test_other_ids_are_404_without_a_call(elsa: Caller, simulator: Simulator, file: str) -> None:
    assert outcome(elsa.get(f"/api/news/{LETTER}/attachments/{file}")) == (404, "not_found")
    assert outcome(elsa.get(f"/api/news/{ALVAS}/attachments/{ALVAS}0")) == (404, "not_found")
    assert not simulator.requests.count_operation("file")


def test_two_children_interleaved(eva: Caller, simulator: Simulator) -> None:
    for child, own, other in ((BO, LETTER, ALVAS), (ALVA, ALVAS, LETTER)) * 2:
        path = f"/api/news/{own}/attachments/{own}0?child={child}"
        assert body_of(eva.get(path)) == content_of("x.pdf")
        foreign = f"/api/news/{other}/attachments/{other}0?child={child}"
        assert outcome(eva.get(foreign)) == (404, "not_found")
    assert outcome(eva.get(PDF)) == (400, "child_required")
    simulator.faults.set("child", "other-child")
    eva.get("/api/session")
    assert held_slots() == 0


def test_teachers_are_refused_without_a_call(simulator: Simulator, db: None) -> None:
    torbjorn = signed_in("torbjörn.ekvik")
    torbjorn.get("/api/session")
    simulator.requests.clear()
    assert outcome(torbjorn.get(PDF)) == (403, "not_for_this_role")
    assert len(simulator.requests) == 0


@pytest.mark.parametrize("result", ["file", "404", "reset", "cut", "gzip", "timeout"])
def test_the_signed_address_appears_nowhere(
    elsa: Caller,
    simulator: Simulator,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    result: str,
) -> None:
    kept: list[str] = []
    put = store.put

    def keep(*args: Any) -> None:
        kept.append(repr(args))
        put(*args)

    monkeypatch.setattr(store, "put", keep)
    caplog.set_level("DEBUG")
    signed = f"/files/bjorkdalen/a.tmp?md5={CANARY}&filename=Brev.pdf"
    simulator.faults.set("file", "answer", status=302, headers={"Location": signed})
    if result in ("file", "gzip"):
        packed = {"Content-Encoding": "gzip"} if result == "gzip" else {}
        fail(simulator, "file.bytes", gzip.compress(b"%PDF-1.4"), **packed)
    elif result == "timeout":
        simulator.faults.set("file.bytes", "timeout", seconds=9)
    else:
        simulator.faults.set("file.bytes", result)
    answer = elsa.get(PDF)
    shown = [repr(answer.headers), repr(answer)]
    if answer.streaming:
        try:
            shown.append(repr(body_of(answer)))
        except ConnectionResetError as error:
            shown.append(repr((error, error.__context__, error.__cause__)))
    else:
        shown.append(answer.text)
    output = capfd.readouterr()
    shown += [caplog.text, output.out, output.err, *kept]
    assert simulator.requests.count_operation("file.bytes")
    assert [text for text in shown if CANARY in text or "a.tmp" in text] == []
