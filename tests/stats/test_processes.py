"""Several processes on one database, and the end of a process."""

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from stats.models import Bucket, Counter
from tests.service_process import database_url

pytestmark = pytest.mark.django_db(transaction=True)

START = """
import os, sys, time
import django
django.setup()
from django.db import connection
from stats.counters import count, flush
from stats.models import Counter
"""
Spawn = Callable[[str], subprocess.Popen[str]]


@pytest.fixture
def spawn() -> Spawn:
    """Run Python in another process on the test database."""
    url = database_url()

    def start(code: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-W", "error", "-c", START + code],
            env={**os.environ, "DATABASE_URL": url},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "statistics" not in err
    return out


def value(name: str) -> int:
    return Counter.objects.get(name=name).value


def test_two_processes_that_flush_the_same_keys_lose_nothing(spawn: Spawn) -> None:
    code = """
for _ in range(40):
    for account in range({first}, {first} + 5):
        count("login", account=account, school="nyvang")
    count("api_call", times=3)
    assert flush()
"""
    both = [spawn(code.format(first=first)) for first in (0, 5)]
    for process in both:
        finish(process)
    assert value("login") == 400
    assert value("api_call") == 240
    row = Bucket.objects.get(histogram="schools")
    assert (row.value, row.enough) == (400, True)


def test_a_thread_flushes_by_itself(spawn: Spawn) -> None:
    seen = finish(
        spawn("""
count("api_call")
deadline = time.monotonic() + 20
while not Counter.objects.exists() and time.monotonic() < deadline:
    time.sleep(0.1)
print(Counter.objects.get().value, flush=True)
os._exit(0)  # without the flush at exit
""")
    )
    assert seen == "1\n"


def test_a_process_flushes_at_exit(spawn: Spawn) -> None:
    finish(spawn('count("api_call", times=7)'))
    assert value("api_call") == 7


def test_a_process_exits_cleanly_without_the_database(spawn: Spawn) -> None:
    process = spawn("""
from django.conf import settings
connection.settings_dict.update(NAME="/no/such/folder", HOST="127.0.0.1", PORT="1", OPTIONS={})
count("api_call")
""")
    _, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Traceback" not in err
    assert not Counter.objects.exists()
