"""The benchmarks' fake upstream speaks the dialect that our client expects."""

import json
import time
from collections.abc import Iterator

import pytest

from benchmarks.fake_upstream.answers import SCHOOLS, user_id, username
from benchmarks.fake_upstream.lessons import WEIGHT, owner_mark, week_for
from benchmarks.fake_upstream.server import FakeUpstream, run_fake_upstream
from benchmarks.open_loop import drive
from benchmarks.users import User
from upstream import pkce
from upstream.calls.lessons import fetch_lessons
from upstream.calls.login import authorize, exchange_code, translate_token
from upstream.calls.schools import fetch_schools
from upstream.calls.session import end_session, fetch_session
from upstream.client import UpstreamClient
from upstream.config import UpstreamConfig
from upstream.errors import SessionDead, UpstreamNotFound
from upstream.records import ProvenSession, WebSession

SCHOOL = SCHOOLS[0]


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeUpstream]:
    with run_fake_upstream() as started:
        yield started


@pytest.fixture
def client(fake: FakeUpstream) -> Iterator[UpstreamClient]:
    made = UpstreamClient(UpstreamConfig(base_url=fake.url))
    yield made
    made.close()


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


def test_different_logins_are_different_accounts(client: UpstreamClient) -> None:
    ids = [
        fetch_session(client, school=SCHOOL, web=log_in(client, number)).user_id
        for number in range(20)
    ]
    assert len(set(ids)) == 20


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


def test_the_mark_survives_the_rule_that_keeps_the_first_lesson_of_a_slot() -> None:
    for week in range(1, 54):
        kept: dict[tuple[str, str], object] = {}
        for lesson in json.loads(week_for(week, 42)):
            kept.setdefault((lesson["startDate"], lesson["endDate"]), lesson)
        assert owner_mark(42).decode() in json.dumps(list(kept.values()))


def test_nobody_reads_with_foreign_cookies(client: UpstreamClient) -> None:
    nobody = WebSession(jsessionid="ABCDEF", hash="0", usertype="1")
    with pytest.raises(SessionDead):
        fetch_session(client, school=SCHOOL, web=nobody)


def test_the_school_list_holds_the_schools(client: UpstreamClient) -> None:
    assert {school.slug for school in fetch_schools(client)} == set(SCHOOLS)


def test_logging_out_is_answered(client: UpstreamClient) -> None:
    end_session(client, school=SCHOOL, web=log_in(client, 7))


def test_what_it_does_not_serve_is_not_found(client: UpstreamClient) -> None:
    web = log_in(client, 7)
    with pytest.raises(UpstreamNotFound):
        client.fetch_json("/rest-api/student/ps/nothing", web=web)


def test_it_answers_with_the_latency_that_is_set(
    fake: FakeUpstream, client: UpstreamClient
) -> None:
    web = log_in(client, 7)
    fake.set_latency(40)
    try:
        began = time.perf_counter()
        fetch_session(client, school=SCHOOL, web=web)
        assert time.perf_counter() - began >= 0.04
    finally:
        fake.set_latency(0)


def test_the_open_loop_counts_every_wrong_answer(fake: FakeUpstream) -> None:
    right = [User(number, "").lessons_upstream(3) for number in range(30)]
    stranger = User(99, "").lessons_upstream(3)
    wrong = type(stranger)(stranger.path, cookie=right[0].cookie, expect=stranger.expect)
    run = drive(fake.port, [*right, wrong], rate=2000)
    assert (run.count, run.errors) == (31, 1)
    assert run.p50 > 0


def test_calls_are_counted_by_kind(fake: FakeUpstream, client: UpstreamClient) -> None:
    before = fake.calls()
    log_in(client, 8)
    after = fake.calls()
    grown = {kind for kind, count in after.items() if count > before.get(kind, 0)}
    assert grown == {"password", "token", "translate"}
