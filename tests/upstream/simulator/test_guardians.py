"""Guardians: their children, several schools of a child, and a school system that lies."""

from dataclasses import replace
from typing import Any

import pytest

from tests.upstream.simulator.plain_client import PlainClient
from upstream.simulator.server import Simulator

HEADER = "/rest-api/parent/header/parent"
BO, ALVA = 730217, 730216


def header(client: PlainClient, cookies: str) -> Any:
    return client.open(cookies, HEADER).json()


def switch(client: PlainClient, cookies: str, child: int, org: int = 41) -> Any:
    path = f"/bjorkdalen{HEADER}?childId={child}&orgId={org}"
    return client.send("PUT", path, headers={"Cookie": cookies})


def make_pupil_of_two_schools(simulator: Simulator) -> None:
    school = simulator.state.schools["bjorkdalen"]
    school.add(replace(school.people["alva.lind"], org_ids=(41, 42)))


def test_the_header_lists_the_children_and_their_schools(
    simulator: Simulator, client: PlainClient
) -> None:
    make_pupil_of_two_schools(simulator)
    found = header(client, client.sign_in("eva.ek"))
    assert [child["id"] for child in found["children"]] == [BO, ALVA]
    assert [school["orgId"] for school in found["children"][1]["schools"]] == [41, 42]
    assert (found["currentChildId"], found["currentOrgId"]) == (BO, 41)


def test_the_second_school_of_a_child_has_other_data(
    simulator: Simulator, client: PlainClient
) -> None:
    make_pupil_of_two_schools(simulator)
    cookies = client.sign_in("eva.ek")
    lessons = []
    for org in (41, 42):
        switch(client, cookies, ALVA, org)
        assert header(client, cookies)["currentOrgId"] == org
        lessons.append(client.lessons(cookies, role="parent").json())
    assert lessons[0] != lessons[1]
    assert client.open(cookies, "/rest-api/session").json()["organization"]["id"] == 42


def test_a_child_who_left_is_not_listed(simulator: Simulator, client: PlainClient) -> None:
    del simulator.state.schools["bjorkdalen"].people["alva.lind"]
    cookies = client.sign_in("eva.ek")
    assert [child["id"] for child in header(client, cookies)["children"]] == [BO]
    switch(client, cookies, ALVA)
    assert header(client, cookies)["currentChildId"] == BO


def test_an_unknown_child_may_be_accepted(simulator: Simulator, client: PlainClient) -> None:
    simulator.state.settings.set("unknown_child", "accepted")
    cookies = client.sign_in("gun.nordvall")
    switch(client, cookies, BO)
    assert header(client, cookies)["currentChildId"] == BO


@pytest.mark.parametrize(("setting", "live"), [("many", 2), ("one", 1)])
def test_one_web_session_at_a_time(
    simulator: Simulator, client: PlainClient, setting: str, live: int
) -> None:
    simulator.state.settings.set("web_sessions", setting)
    first, second = client.sign_in("eva.ek"), client.sign_in("eva.ek")
    statuses = [client.open(cookies, HEADER).status_code for cookies in (first, second)]
    assert statuses == ([200, 200] if live == 2 else [401, 200])


def test_it_can_lie_about_the_children(simulator: Simulator, client: PlainClient) -> None:
    cookies = client.sign_in("eva.ek")
    simulator.faults.set("child.switch", "empty", times=1)
    assert switch(client, cookies, ALVA).status_code == 200
    assert header(client, cookies)["currentChildId"] == BO
    simulator.faults.set("child", "other-child", times=1)
    assert [header(client, cookies)["currentChildId"] for _ in range(2)] == [ALVA, BO]
    simulator.faults.set("child", "no-children", times=1)
    assert "children" not in header(client, cookies)
