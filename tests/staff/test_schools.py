"""A moderator of one school learns nothing about the people of another one."""

import re
from typing import Any

import pytest
from django.test import Client

from social.models import Case
from staff.models import AuditEntry
from tests.conftest import Caller, signed_in
from tests.notes.notes import added, shared
from tests.social_actions import dm_of, new_group, report, say
from tests.staff.cases import LIST, open_case, page_of
from tests.staff.conftest import Enter, open_list

# Each list, and how many rows of bjorkdalen and of nyvang it has.
LISTS = {
    "accounts/account": (2, 1),
    "accounts/profile": (2, 1),
    "social/conversation": (2, 0),
    "social/invite": (1, 0),
    "notes/sharelink": (1, 0),
    "notes/countdown": (1, 1),
}
COUNTDOWN = {"title": "Lov", "targetDate": "2027-05-11"}


@pytest.fixture
def bjorkdalen(elsa: Caller) -> Caller:
    """Elsa and Bo of bjorkdalen have something of everything, and Elsa has reported Bo."""
    bo = signed_in("bo.ek")
    message = say(bo, dm_of(elsa, "bo.ek"), "You are mean")
    new_group(elsa, "bo.ek")
    shared(elsa, added(elsa))
    assert elsa.post("/api/countdowns", COUNTDOWN).status_code == 201
    report(elsa, "message", message["id"])
    return elsa


def counts(client: Client) -> list[str]:
    """The numbers of cases on the front page, and the summary of the chart of reports."""
    page = client.get("/admin/").content.decode()
    (summary,) = re.findall(r"<h2>Reports</h2><p>(.*?)</p>", page)
    return [*re.findall(r"<li><a [^>]*><strong>(\d+)</strong>", page), summary]


def listed(client: Client) -> int:
    """How many cases the list has."""
    answer: Any = client.get(LIST)
    return int(answer.context_data["cl"].result_count)


def test_lists_and_pages_are_of_the_own_school(
    bjorkdalen: Caller, zoe: Caller, enter: Enter
) -> None:
    assert zoe.post("/api/countdowns", COUNTDOWN).status_code == 201
    theirs = enter(username="mio", schools=["bjorkdalen"])
    client = enter(schools=["nyvang"])
    both = enter(username="max", schools=["bjorkdalen", "nyvang"])
    for page, (of_bjorkdalen, of_nyvang) in LISTS.items():
        path = f"/admin/{page}/"
        lists = [open_list(each, path).context_data["cl"] for each in (theirs, client, both)]
        counts = [each.result_count for each in lists]
        assert counts == [of_bjorkdalen, of_nyvang, of_bjorkdalen + of_nyvang], page
        assert "bjorkdalen" not in client.get(path).content.decode()  # neither in the filters
        row = lists[0].result_list[0].pk
        assert theirs.get(f"{path}{row}/change/").status_code == 200
        for kind in ("change", "history", "delete"):
            assert client.get(f"{path}{row}/{kind}/").status_code in (302, 403, 404), (page, kind)
    assert not AuditEntry.objects.filter(staff_name="moa", action="look").exists()


def test_a_case_of_another_school_is_not_there(bjorkdalen: Caller, enter: Enter) -> None:
    case = Case.objects.get()
    client = enter(schools=["nyvang"])
    assert listed(client) == 0
    assert client.get(page_of(case)).status_code == 404
    client.handler.enforce_csrf_checks = False
    for form in ({"open": "1", "reason": "A pupil asked."}, {"do": "close", "version": "0"}):
        assert client.post(page_of(case), form).status_code == 404
    case.refresh_from_db()
    assert (case.status, case.opened_at) == ("open", None)


def test_the_front_page_counts_the_own_school(bjorkdalen: Caller, enter: Enter) -> None:
    theirs = counts(enter(username="mio", schools=["bjorkdalen"]))
    assert theirs[:2] == ["1", "1"]
    ours = counts(enter(schools=["nyvang"]))
    assert ours[:2] == ["0", "0"]
    assert ours[2] != theirs[2]
    assert not re.search("[1-9]", ours[2])
    assert counts(enter(username="max"))[:2] == ["1", "1"]  # of all schools


def test_what_crosses_schools_is_seen_where_the_reported_person_is(
    bjorkdalen: Caller, zoe: Caller, enter: Enter
) -> None:
    report(bjorkdalen, "profile", "zoe.åkerman")
    case = Case.objects.get(target_type="profile")
    client = enter(schools=["nyvang"])
    assert listed(client) == 1
    text = open_case(client, case).text()
    assert "zoe.åkerman" in text
    assert "1 other report" not in text  # Elsa's report of Bo is of the other school
