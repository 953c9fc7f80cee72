"""The benchmarks' fake upstream speaks the dialect that our client expects."""

import json
import time

from benchmarks.fake_upstream.answers import SCHOOLS, user_id, username
from benchmarks.fake_upstream.lessons import WEIGHT, owner_mark, week_for
from benchmarks.fake_upstream.server import FakeUpstream
from benchmarks.open_loop import drive
from benchmarks.users import User
from upstream import pkce
from upstream.calls.lessons import fetch_lessons
from upstream.calls.login import authorize, exchange_code, translate_token
from upstream.calls.schools import fetch_schools
from upstream.calls.session import fetch_session
from upstream.client import UpstreamClient
from upstream.records import ProvenSession

SCHOOL = SCHOOLS[0]


def log_in(client: UpstreamClient, number: int) -> ProvenSession:
    pair = pkce.make_pair()
    code = authorize(
        client,
        school=SCHOOL,
        username=username(number).upper(),
        password="secret",
        challenge=pair.challenge,
        state=pkce.make_state(),
    )
    grant = exchange_code(client, school=SCHOOL, code=code, verifier=pair.verifier)
    assert grant.expires_in == 2_592_000
    web = translate_token(client, school=SCHOOL, access_token=grant.access_token)
    return ProvenSession(web.jsessionid, web.hash, web.usertype, school=SCHOOL, role="student")


def test_our_client_logs_in_and_reads_its_session(client: UpstreamClient) -> None:
    session = fetch_session(client, school=SCHOOL, web=log_in(client, 7))
    assert session.user_id == user_id(username(7))
    assert session.user_name.lower() == username(7)
    assert session.role == "student"


def test_a_week_has_the_size_of_a_school_week_and_the_mark_of_its_owner(
    client: UpstreamClient,
) -> None:
    for week in (1, 20, 53):
        lessons = fetch_lessons(client, web=log_in(client, 7), week=week)
        assert lessons == json.loads(week_for(week, user_id(username(7))))
        assert WEIGHT <= len(week_for(week, 1)) < WEIGHT * 1.1
        assert owner_mark(user_id(username(7))).decode() in json.dumps(lessons)


def test_every_week_is_unsorted_and_has_duplicates_and_shared_slots() -> None:
    for week in range(1, 54):
        lessons = json.loads(week_for(week, 1))
        slots = [(lesson["startDate"], lesson["endDate"]) for lesson in lessons]
        assert slots != sorted(slots)
        whole = [json.dumps(lesson, sort_keys=True) for lesson in lessons]
        assert len(set(slots)) < len(set(whole)) < len(whole)


def test_the_school_list_holds_the_schools(client: UpstreamClient) -> None:
    assert {school.slug for school in fetch_schools(client)} == set(SCHOOLS)


def test_it_answers_with_the_latency_that_is_set(
    fake: FakeUpstream, client: UpstreamClient
) -> None:
    web = log_in(client, 7)
    fake.set_latency(40)
    began = time.perf_counter()
    fetch_session(client, school=SCHOOL, web=web)
    assert time.perf_counter() - began >= 0.04


def test_the_open_loop_counts_every_wrong_answer(fake: FakeUpstream) -> None:
    right = [User(number, "").lessons_upstream(3) for number in range(30)]
    stranger = User(99, "").lessons_upstream(3)
    wrong = type(stranger)(stranger.path, cookie=right[0].cookie, expect=stranger.expect)
    run = drive(fake.port, [*right, wrong], rate=2000)
    assert (run.count, run.errors) == (31, 1)
    assert run.p50 > 0
