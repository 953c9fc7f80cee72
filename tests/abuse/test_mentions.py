"""A mention reaches also who has muted the group, so staff see it where they read no text."""

import pytest

from tests.abuse.people import become_friends, report
from tests.abuse.test_what_was_seen import erase
from tests.social.cast import Cast
from tests.staff.cases import CasePage, page_of
from tests.staff.conftest import Enter


@pytest.mark.parametrize("end", ["", "edited", "deleted", "erased"])
def test_staff_see_whom_a_reported_encrypted_message_mentioned(
    cast: Cast, enter: Enter, end: str
) -> None:
    become_friends(cast.elsa, cast.bo)
    group = cast.elsa.group(cast.bo, encrypted=True)
    path = f"/api/conversations/{group['id']}"
    body = {"content": "A" * 40, "mentions": [cast.elsa.username]}
    answer = cast.bo.post(f"{path}/messages", body)
    assert answer.status_code == 201, answer.content
    message = answer.json()["message"]
    if end == "edited":
        edit = {"action": "edit", "content": "B" * 40}
        assert cast.bo.patch(f"{path}/{message['id']}", edit).status_code == 200
    elif end == "deleted":
        assert cast.bo.delete(f"{path}/{message['id']}").status_code == 200
    elif end == "erased":
        erase(cast, message)
    assert report(cast.elsa, "message", message["id"]).status_code == 201
    assert f"@{cast.elsa.username}" in CasePage(enter(), page_of()).open().text()
