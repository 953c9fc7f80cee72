"""`manage.py flush_stats`."""

from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection

from stats.counters import count
from stats.models import Bucket, Counter
from stats.totals import read_totals


def run(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    call_command("flush_stats", *options)
    return capsys.readouterr().out


@pytest.mark.django_db
@time_machine.travel("2026-11-20T08:00:00Z", tick=False)
def test_it_writes_the_counts_and_prints_a_summary(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for account in range(12):
        count("login", account=account, school="nyvang" if account < 11 else "bjorkdalen")
    assert run(capsys) == (
        '1 totals; 4 buckets shown, 1 suppressed into "other"; '
        "contributors of 0 past dates deleted.\n"
    )
    assert read_totals()["totalLogins"] == 12


@pytest.mark.django_db
def test_it_clears_the_contributors_of_past_dates(capsys: pytest.CaptureFixture[str]) -> None:
    with time_machine.travel("2026-11-18T12:00:00Z", tick=False) as clock:
        count("login", account=1, school="nyvang")
        run(capsys)
        clock.move_to("2026-11-19T12:00:00Z")
        assert "of 0 past dates" in run(capsys)  # a slow writer may still add to yesterday
        clock.move_to("2026-11-20T12:00:00Z")
        assert "of 1 past dates would be deleted" in run(capsys, "--dry-run")
        assert "of 1 past dates deleted" in run(capsys)
        assert "of 0 past dates deleted" in run(capsys)
    (row,) = Bucket.objects.filter(histogram="peakDates")
    assert (row.value, row.contributors, row.enough) == (1, [], False)
    assert len(Bucket.objects.get(histogram="schools").contributors) == 1


@pytest.mark.django_db
def test_a_dry_run_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    count("api_call")
    run(capsys, "--dry-run")
    assert not Counter.objects.exists()


@pytest.mark.django_db
def test_counts_that_cannot_be_written_are_exit_code_1(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse_to_add(execute: Any, sql: str, *rest: Any) -> Any:
        if "stats_counter" in sql and not sql.startswith("SELECT"):
            raise OSError("the disk is full")
        return execute(sql, *rest)

    count("api_call")
    with connection.execute_wrapper(refuse_to_add), pytest.raises(SystemExit) as ended:
        call_command("flush_stats")
    assert ended.value.code == 1
    assert "could not be written" in capsys.readouterr().err
