"""What staff see of a reported thing: as it was when it was reported, and as it is now."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from social.models import Case, CaseAction, Conversation, Message, Report
from social.services.cases.read import REPORTS_SHOWN
from social.services.report_kinds.messages import MESSAGE_REPORTS
from tests.accounts.full_account import picture
from tests.conftest import Caller, signed_in
from tests.notes.notes import added, changed, shared
from tests.social_actions import answer_invite, dm_of, new_group, report, say
from tests.staff.cases import open_case, plain
from tests.staff.conftest import Enter

ENCRYPTED = "A" * 60


def message_path(message: dict[str, Any]) -> str:
    return f"/api/conversations/{message['conversationId']}/{message['id']}"


def edit(caller: Caller, message: dict[str, Any], text: str) -> None:
    answer = caller.patch(message_path(message), {"action": "edit", "content": text})
    assert answer.status_code == 200, answer.content


@pytest.fixture
def threat(elsa: Caller, bo: Caller) -> dict[str, Any]:
    """A message of Bo, which Elsa has reported."""
    message = say(bo, dm_of(elsa, "bo.ek"), "I will find you")
    report(elsa, "message", message["id"], "He is mean.")
    return message


def test_it_shows_the_message_with_three_before_and_after(
    elsa: Caller, bo: Caller, enter: Enter
) -> None:
    dm = dm_of(elsa, "bo.ek")
    ids = [say(bo if n % 2 else elsa, dm, f"line-{n}")["id"] for n in range(1, 11)]
    report(elsa, "message", ids[4], "He is mean.")
    text = open_case(enter()).text()
    shown = [n for n in range(1, 11) if f"line-{n} " in text]
    assert shown == [2, 3, 4, 5, 6, 7, 8]
    assert "Reported · Bo Ek (bo.ek)" in text
    assert "Bullying · elsa.nordvall" in text
    assert "He is mean." in text
    assert "Unchanged since." in text


def test_an_edit_after_the_report_changes_nothing_of_the_evidence(
    threat: dict[str, Any], bo: Caller, enter: Enter
) -> None:
    edit(bo, threat, "Have a nice day")
    text = open_case(enter()).text()
    assert "Changed since." in text
    then, _, now = text.partition("Now · edited")
    assert "I will find you" in then
    assert "after the report Have a nice day" in now


def test_an_edit_before_the_report_is_shown_too(elsa: Caller, bo: Caller, enter: Enter) -> None:
    message = say(bo, dm_of(elsa, "bo.ek"), "first words")
    edit(bo, message, "second words")
    report(elsa, "message", message["id"])
    text = open_case(enter()).text()
    assert "before the report" in text
    assert "Unchanged since." in text


def test_a_deletion_after_the_report_changes_nothing_of_the_evidence(
    threat: dict[str, Any], bo: Caller, enter: Enter
) -> None:
    assert bo.delete(message_path(threat)).status_code == 200
    page = open_case(enter())
    then, _, now = page.text().partition("Now · deleted")
    assert "I will find you" in then
    assert "after the report deleted" in now
    assert page.do("hide_message") == "Nothing was changed: it is like that already."
    assert not CaseAction.objects.exists()
    Message.objects.all().delete()  # as retention does
    text = page.text()
    assert "I will find you" in text
    assert "It no longer exists." in text
    assert page.buttons() == {"take", "warn", "suspend", "close"}


def test_later_reports_have_evidence_of_their_own(elsa: Caller, bo: Caller, enter: Enter) -> None:
    alva = signed_in("alva.lind")
    group = new_group(elsa, "bo.ek", "alva.lind")
    for person in (bo, alva):
        answer_invite(person)
    message = say(bo, group, "first words")
    report(elsa, "message", message["id"])
    edit(bo, message, "second words")
    report(alva, "message", message["id"], "Still mean.")
    text = open_case(enter()).text()
    assert text.count("As it was when it was reported:") == 2
    assert text.index("first words") < text.index("second words")
    assert (Case.objects.count(), Report.objects.count()) == (1, 2)


def test_a_repeated_report_is_shown_with_its_own_words_and_evidence(
    threat: dict[str, Any], elsa: Caller, bo: Caller, enter: Enter
) -> None:
    edit(bo, threat, "second words")
    body = {"type": "message", "id": threat["id"], "reason": "threat", "text": "It is worse now."}
    assert elsa.post("/api/reports", body).status_code == 200
    client = enter()
    assert "Bullying, Threat" in plain(client.get("/admin/social/case/"))
    text = open_case(client).text()
    assert text.count("As it was when it was reported:") == 2
    assert text.index("I will find you") < text.index("second words")
    assert "Bullying · elsa.nordvall" in text
    assert "Threat · elsa.nordvall, pupil (added to their report)" in text
    assert text.index("He is mean.") < text.index("It is worse now.")
    assert "other report by this person" not in text


def test_many_additions_push_no_report_out(elsa: Caller, bo: Caller, enter: Enter) -> None:
    report(elsa, "profile", "bo.ek")
    first = Report.objects.get()
    Report.objects.bulk_create(
        Report(case=first.case, added_to=first, reporter=first.reporter, reason="spam")
        for _ in range(REPORTS_SHOWN)
    )
    report(bo, "profile", "bo.ek", "Me too.")
    assert "Me too." in open_case(enter()).text()


def test_reports_of_the_same_words_share_their_evidence(
    elsa: Caller, bo: Caller, enter: Enter
) -> None:
    alva = signed_in("alva.lind")
    report(elsa, "profile", "bo.ek")
    for color in ("#ff0000", ""):  # a change of nothing that a report keeps
        assert bo.put("/api/profile", {"accentColor": color}).status_code == 200
    report(alva, "profile", "bo.ek")
    assert open_case(enter()).text().count("As it was when it was reported:") == 1


def test_the_disclosed_copy_is_marked(elsa: Caller, bo: Caller, enter: Enter) -> None:
    message = say(bo, dm_of(elsa, "bo.ek"), "x")
    Conversation.objects.update(type="group", encryption="aes-gcm", admin=None)
    Message.objects.update(content=ENCRYPTED)
    body = {"type": "message", "id": message["id"], "reason": "threat"}
    assert elsa.post("/api/reports", body | {"disclosed": "I will find you"}).status_code == 201
    page = open_case(enter())
    text = page.text()
    assert "encrypted: only what a reporter disclosed can be read" in text
    assert "from the reporter. It cannot be verified: I will find you" in text
    assert ENCRYPTED not in text
    assert page.do("hide_message") == "Hide the message: done."
    assert Message.objects.get().hidden_at is not None


def test_a_profile_is_shown_as_it_was(elsa: Caller, bo: Caller, enter: Enter) -> None:
    bo.put("/api/profile", {"bio": "Fult ord", "displayName": "Fult namn"})
    form = {"image": picture(), "kind": "avatar"}
    assert bo.http.post("/api/profile/picture", form).status_code == 201
    report(elsa, "profile", "bo.ek")
    bo.put("/api/profile", {"bio": "Snällt ord", "displayName": "Bo Ek"})
    bo.delete("/api/profile/picture?kind=avatar")
    page = open_case(enter())
    assert "Bio changed Fult ord Snällt ord" in page.text()
    assert "Display name changed Fult namn Bo Ek" in page.text()
    assert page.html().count("data:image/webp;base64,") == 1


def test_pictures_texts_and_names_are_removed(elsa: Caller, bo: Caller, enter: Enter) -> None:
    texts = {"bio": "Fult ord", "displayName": "Fult namn", "website": "http://x.se"}
    bo.put("/api/profile", texts)
    for kind in ("avatar", "cover"):
        bo.http.post("/api/profile/picture", {"image": picture(), "kind": kind})
    report(elsa, "profile", "bo.ek")
    page = open_case(enter())
    for action in ("avatar", "cover", "profile_texts", "display_name"):
        assert page.do(f"remove_{action}").endswith(": done.")
    shown = elsa.get("/api/profile/bo.ek").json()["profile"]
    assert (shown["bio"], shown["website"], shown["displayName"]) == ("", "", "Bo Ek")
    assert (shown["pfpUrl"], shown["coverUrl"]) == ("", "")
    assert page.do("remove_avatar") == "Nothing was changed: it is like that already."
    bo.http.post("/api/profile/picture", {"image": picture(), "kind": "avatar"})
    assert page.do("remove_avatar").endswith(": done.")
    assert "undo" not in page.buttons()


def test_a_group_keeps_its_evidence_and_loses_its_name(
    elsa: Caller, bo: Caller, enter: Enter
) -> None:
    body = {"type": "group", "groupName": "Fult namn", "groupDescription": "Fula ord"}
    group = elsa.post("/api/conversations", body | {"members": ["bo.ek"]}).json()["conversation"]
    report(bo, "group", group["id"])
    path = f"/api/conversations/{group['id']}"
    elsa.patch(path, {"action": "rename", "groupName": "Fulare namn"})
    page = open_case(enter())
    assert "Name changed Fult namn Fulare namn" in page.text()
    before = elsa.get(path).json()["conversation"]["infoRevision"]
    assert page.do("remove_group_name").endswith(": done.")
    assert page.do("remove_group_description").endswith(": done.")
    shown = elsa.get(path).json()["conversation"]
    assert (shown["groupName"], shown["groupDescription"]) == ("Group", "")
    assert shown["infoRevision"] > before


def test_a_note_is_shown_as_it_was_and_taken_down(elsa: Caller, bo: Caller, enter: Enter) -> None:
    note = added(bo, title="Fult", content="Fula ord")
    report(elsa, "note", shared(bo, note))
    changed(bo, note, title="Snällt", content="Snälla ord")
    page = open_case(enter())
    assert "Title changed Fult Snällt" in page.text()
    assert "Fula ord" in page.text()
    page.do("take_down_note")
    share = f"/api/notes/{note['id']}/share"
    assert bo.post(share).json()["code"] == "taken_down"
    page.do("undo", action_id=str(CaseAction.objects.get().pk))
    assert bo.post(share).status_code == 201


def test_the_rest_of_a_long_note_is_folded(elsa: Caller, bo: Caller, enter: Enter) -> None:
    note = added(bo, content="Hej " * 3_000 + "Fula ord")
    report(elsa, "note", shared(bo, note))
    page = open_case(enter())
    first, _, rest = page.html().partition("<details>")
    assert "Hej" in first
    assert "Fula ord" not in first
    assert "Fula ord" in rest.partition("</details>")[0]
    assert "The rest of the text" in page.text()


def test_the_page_says_when_the_evidence_was_deleted(
    elsa: Caller, bo: Caller, enter: Enter
) -> None:
    report(elsa, "profile", "bo.ek")
    page = open_case(enter())
    page.do("close")
    Report.objects.update(evidence="", text="")
    Case.objects.update(evidence_deleted_at=timezone.now() - timedelta(days=1))
    assert "The evidence was deleted on" in page.text()


def test_evidence_is_collected_in_a_constant_number_of_queries(
    elsa: Caller, bo: Caller, django_assert_num_queries: Any
) -> None:
    dm = dm_of(elsa, "bo.ek")
    message = [say(bo, dm, f"line-{n}") for n in range(7)][3]
    with django_assert_num_queries(4):
        MESSAGE_REPORTS.collect_evidence(message["id"])
