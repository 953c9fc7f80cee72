"""Health, version and the home page."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from tests.jobs import worker_jobs
from tests.store_away import take_the_store_away
from tests.wrapper_project.test_errors import is_error_body
from upstream import shared_client
from upstream.calls.schools import fetch_schools
from upstream.errors import UpstreamUnavailable
from upstream.person import on_behalf_of


def test_the_process_is_alive_without_any_store(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, settings: Settings
) -> None:
    take_the_store_away(settings)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"success": True})


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["10.0.0.7:8010", "web-2", "odd_host:x", ""])
def test_probes_are_answered_whatever_the_host(
    client: Client, settings: Settings, host: str
) -> None:
    settings.ALLOWED_HOSTS = ["school.example"]
    settings.METRICS = True
    for path in ("/healthz", "/readyz", "/metrics"):
        assert client.get(path, headers={"host": host}).status_code == 200, path
    assert client.get("/api/version", headers={"host": host}).status_code == 400


@pytest.mark.django_db
def test_it_is_ready_if_all_parts_respond(client: Client) -> None:
    answer = client.get("/readyz")
    body = answer.json()
    assert (answer.status_code, body["success"]) == (200, True)
    assert (body["database"], body["store"], body["upstream"]) == ("ok", "ok", "ok")


@pytest.mark.django_db
def test_upstream_is_reported_and_never_makes_it_unready(
    client: Client, settings: Settings
) -> None:
    settings.UPSTREAM_URL = "http://127.0.0.1:1"
    for person in range(3):
        with on_behalf_of(f"account {person}"), pytest.raises(UpstreamUnavailable):
            fetch_schools(shared_client.client())
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["upstream"]) == (200, "trouble")


@pytest.mark.django_db
def test_late_jobs_are_reported_and_never_make_it_unready(client: Client) -> None:
    worker_jobs.note.enqueue("x", "y")
    hour = timedelta(hours=1)
    DBTaskResult.objects.update(enqueued_at=timezone.now() - hour)
    assert "jobs" not in client.get("/readyz").json()
    for query in ("verbose", "verbose=1"):
        answer = client.get(f"/readyz?{query}")
        jobs = answer.json()["jobs"]
        assert answer.status_code == 200
        assert jobs.pop("lag") >= hour.total_seconds()
        assert jobs == {"waiting": 1, "later": 0, "running": 0, "failed": 0}


@pytest.mark.django_db
def test_the_store_is_reported_and_never_makes_it_unready(
    client: Client, settings: Settings
) -> None:
    take_the_store_away(settings, "redis://user:canary@127.0.0.1:1/0")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["success"]) == (200, True)
    assert (answer.json()["database"], answer.json()["store"]) == ("ok", "away")
    assert "canary" not in answer.text


@pytest.mark.django_db
def test_it_is_not_ready_without_the_database(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import OperationalError, connection

    def away(*args: object) -> None:
        raise OperationalError("canary")

    monkeypatch.setattr(connection, "cursor", away)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
    assert answer.json()["database"] == "away"
    assert is_error_body(answer.json())
    assert "Retry-After" in answer.headers
    assert "canary" not in answer.text


def test_the_version_is_public(client: Client, settings: Settings) -> None:
    assert client.get("/api/version").json() == {
        "success": True,
        "version": settings.VERSION,
        "api": ["legacy", "v2"],
    }


@pytest.fixture
def without_web_app(settings: Settings) -> None:
    settings.WEB_APP = False


def test_the_front_page_names_the_documents(client: Client, without_web_app: None) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert "/api/docs" in answer.text
    assert "<script" not in answer.text


def test_the_front_page_says_whom_to_write_to(
    client: Client, settings: Settings, without_web_app: None
) -> None:
    settings.CONTACT = "rektor@skola.example"
    assert 'href="mailto:rektor@skola.example"' in client.get("/").text
    settings.CONTACT = ""
    assert "Questions?" not in client.get("/").text
