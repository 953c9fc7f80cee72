"""The multipart form of an upload."""

from io import BytesIO
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.api.pictures import MAX_FORM_BYTES, FormParser
from accounts.errors import InvalidInput
from accounts.limits import PICTURE_BYTES
from accounts.models import Account, Picture
from accounts.services.suspension import suspend_account
from tests.accounts.images import UPLOAD, picture, send, shown
from tests.conftest import Caller

PATHS = [UPLOAD, "/api/pfp-upload"]
FORM = "multipart/form-data; boundary=xx"


def part(name: str, body: bytes, more: str = "", head: str = "") -> bytes:
    """One part of a form."""
    return (
        f'--xx\r\nContent-Disposition: form-data; name="{name}"{more}\r\n{head}\r\n'.encode()
        + body
        + b"\r\n"
    )


def post(caller: Caller, body: bytes, content_type: str = FORM, **words: Any) -> Any:
    return caller.http.generic("POST", UPLOAD, body, content_type=content_type, **words)


IMAGE = part("image", picture(), '; filename="me.png"')
WHOLE = IMAGE + b"--xx--\r\n"


def test_a_form_is_read(elsa: Caller) -> None:
    assert post(elsa, part("kind", b"avatar") + WHOLE).status_code == 201
    cover = part("kind", b"cover") + part("else", b"x") + WHOLE
    assert post(elsa, cover).status_code == 201
    assert set(Picture.objects.values_list("kind", flat=True)) == {"avatar", "cover"}


def test_it_may_come_in_chunks(elsa: Caller) -> None:
    body: dict[str, Any] = {"wsgi.input": BytesIO(WHOLE), "wsgi.input_terminated": True}
    answer = post(elsa, WHOLE, CONTENT_LENGTH="", HTTP_TRANSFER_ENCODING="chunked", **body)
    assert answer.status_code == 201


def test_name_and_type_of_the_file_are_ignored(elsa: Caller) -> None:
    claims = '; filename="../../etc/passwd\x00.php"'
    html = "Content-Type: text/html\r\n"
    assert post(elsa, part("image", picture(), claims, html) + b"--xx--\r\n").status_code == 201
    image = part("image", b"<html>", '; filename="me.png"', "Content-Type: image/png\r\n")
    assert post(elsa, image + b"--xx--\r\n").status_code == 400


WRONG = {
    "json": (b'{"image": "x"}', "application/json"),
    "urlencoded": (b"image=x&kind=avatar", "application/x-www-form-urlencoded"),
    "bare picture": (picture(), "image/png"),
    "nothing": (b"", FORM),
    "nothing at all": (b"", ""),
    "no boundary": (WHOLE, "multipart/form-data"),
    "boundary of nonsense": (WHOLE, "multipart/form-data; boundary=å\x00"),
    "another boundary": (WHOLE, "multipart/form-data; boundary=yy"),
    "text instead of a file": (part("image", b"x") + b"--xx--\r\n", FORM),
    "empty file": (part("image", b"", '; filename="a"') + b"--xx--\r\n", FORM),
    "unknown encoding of a name": (
        part("image", b"x", "; filename*=foo''a") + b"--xx--\r\n",
        FORM,
    ),
    "unknown kind": (part("kind", b"header") + WHOLE, FORM),
    "kind of nul": (part("kind", b"avatar\x00") + WHOLE, FORM),
    "kind of no text": (part("kind", b"\xff\xfe\xed\xa0\x80") + WHOLE, FORM),
    "cut off": (WHOLE[:-400], FORM),
    "wrong base64": (
        part("image", b"%%%", '; filename="a"', "Content-Transfer-Encoding: base64\r\n")
        + b"--xx--\r\n",
        FORM,
    ),
}


def test_a_body_that_is_not_such_a_form_is_400(elsa: Caller) -> None:
    for name, (body, content_type) in WRONG.items():
        answer = post(elsa, body, content_type)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input"), name
        assert answer.json()["fields"]
    assert not Picture.objects.exists()


def test_an_unknown_charset_of_a_file_is_ignored(elsa: Caller) -> None:
    assert post(elsa, WHOLE, FORM + "; charset=nonsense").status_code == 201


@pytest.mark.parametrize("fields", [1100, 300])
def test_a_form_of_many_parts_is_refused(elsa: Caller, fields: int) -> None:
    more = "" if fields > 1000 else '; filename="a"'
    answer = post(elsa, part("x", b"y", more) * fields + WHOLE)
    assert (answer.status_code, answer.json()["success"]) == (400, False)


@pytest.mark.parametrize("path", PATHS)
def test_a_file_that_is_too_large_is_413(elsa: Caller, path: str) -> None:
    image = picture("PNG", (8, 8))
    largest = image + b"\0" * (PICTURE_BYTES - len(image))
    assert send(elsa, largest, path).status_code == 201
    for data in (largest + b"\0", largest + b"\0" * 100_000):
        answer = send(elsa, data, path)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_long_form_is_refused_by_its_content_length(elsa: Caller) -> None:
    answer = post(elsa, b"x" * (MAX_FORM_BYTES + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_checks_come_in_the_same_order_as_for_other_requests(elsa: Caller) -> None:
    def code(caller: Caller, body: bytes = b"nonsense", **headers: str) -> str:
        answer = caller.http.post(UPLOAD, body, content_type=FORM, headers=headers)
        found: str = answer.json()["code"]
        return found

    huge = b"x" * (MAX_FORM_BYTES + 1)
    assert code(elsa, huge, origin="https://evil.example") == "cross_origin"
    assert code(Caller(), huge) == "not_signed_in"
    assert code(elsa, huge) == "too_large"
    for _ in range(10):
        assert send(elsa, picture(size=(8, 8))).status_code == 201
    assert code(elsa, huge) == "too_many_requests"
    suspend_account(Account.objects.get().pk)
    assert code(elsa, huge) == "account_suspended"


def test_other_views_refuse_forms(elsa: Caller) -> None:
    answer = elsa.http.put("/api/profile", WHOLE, content_type=FORM)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_json")


def test_a_native_app_sends_the_same(bearer: dict[str, str]) -> None:
    app = Caller()
    answer = app.http.generic("POST", UPLOAD, WHOLE, content_type=FORM, headers=bearer)
    assert answer.status_code == 201
    assert shown(answer.json()["url"]).size == (640, 480)


class _Stream:
    def __init__(self, data: bytes) -> None:
        self.data = data

    def read(self, size: int) -> bytes:
        return self.data[:size]


class _Request:
    META: dict[str, Any] = {}  # noqa: RUF012


@settings(max_examples=150, suppress_health_check=list(HealthCheck), derandomize=True)
@given(
    st.lists(
        st.one_of(
            st.binary(max_size=40),
            st.sampled_from(
                [b"--xx\r\n", b"--xx--", b"\r\n\r\n", IMAGE[:80], b"Content-Disposition: form-data",
                 b'; name="image"', b"; filename*=u'x'%ff", b"Content-Type: a; charset*=1''2\r\n",
                 b"Content-Transfer-Encoding: base64\r\n"]
            ),
        ),
        max_size=12,
    ),
    st.sampled_from([FORM, "multipart/form-data; boundary*=utf-8''xx", "multipart/x; boundary=xx"]),
)  # fmt: skip
def test_any_bytes_are_a_form_or_refused(parts: list[bytes], content_type: str) -> None:
    try:
        found = FormParser().parse(_Stream(b"".join(parts)), content_type, {"request": _Request})
    except InvalidInput:
        return
    assert all(isinstance(value, str | bytes) for value in found.values())
