"""How a response body is rendered."""

from django.test import Client


def test_a_finished_document_is_sent_as_it_is(odd: Client) -> None:
    answer = odd.get("/api/bytes", headers={"accept": "text/html"})
    assert answer.content == b'{"as":"it is"}'
    assert answer.headers["Content-Type"] == "application/json"
