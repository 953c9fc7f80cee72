"""Every worker of a real server returns the metrics of all workers."""

import re
from pathlib import Path

import urllib3
from django.conf import settings

from tests.service_process import running
from upstream.simulator.server import Simulator

WORKERS = "2" if settings.REDIS_URL else "1"
ANSWERS = 'wrapper_http_requests_total{method="GET",route="version",status="200"}'
HEADERS = {"Host": "localhost", "Connection": "close"}


def number(text: str, sample: str) -> float:
    """The value of one sample, or 0."""
    found = re.search(rf"^{re.escape(sample)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def folders() -> set[Path]:
    """The directories through which workers share metrics."""
    return set(Path("/dev/shm").glob("wrapper-metrics-*"))


def test_every_worker_has_the_metrics_of_all(
    simulator: Simulator, transactional_db: None, tmp_path: Path
) -> None:
    http = urllib3.PoolManager(retries=False)
    changes = {"METRICS": "on", "WEB_WORKERS": WORKERS, "TRUSTED_PROXIES": "127.0.0.1"}
    before = folders()
    with running(tmp_path, simulator.url, **changes) as server:
        for _ in range(12):
            assert http.request("GET", f"{server.url}/api/version", headers=HEADERS).status == 200
        texts = [
            http.request("GET", f"{server.url}/metrics", headers=HEADERS).data.decode()
            for _ in range(6)
        ]
        outside = {**HEADERS, "X-Forwarded-For": "198.51.100.7"}
        assert http.request("GET", f"{server.url}/metrics", headers=outside).status == 404
        ours = folders() - before
        assert server.stop() == 0
    assert {number(text, ANSWERS) for text in texts} == {12.0}
    assert number(texts[0], "wrapper_http_requests_in_progress") == 1.0
    assert 'wrapper_info{version="' in texts[0]
    # Other test runs may create and delete theirs.
    assert not ours or ours - folders()
