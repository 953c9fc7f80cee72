"""How a response body is rendered."""

from django.test import Client


def test_bytes_are_sent_unchanged(odd: Client) -> None:
    answer = odd.get("/api/bytes", headers={"accept": "text/html"})
    assert answer.content == b'{"as":"it is"}'
    assert answer.headers["Content-Type"] == "application/json"
