"""Files through a server process: its memory, and a transfer that breaks off."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import urllib3

from tests.concurrency import at_once
from tests.schoolproxy.test_articles import LETTER
from tests.service_process import ServiceProcess, cookie_header, running
from upstream.simulator.server import Simulator

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MIB = 1024 * 1024
DOWNLOADS = 10
PATH = f"/api/news/{LETTER}/attachments/{LETTER}0"


@pytest.fixture
def service(simulator: Simulator, tmp_path: Path) -> Iterator[ServiceProcess]:
    with running(tmp_path, simulator.url, WEB_THREADS="64") as process:
        yield process


def read(service: ServiceProcess, cookies: dict[str, str]) -> int:
    """The number of bytes. Raises: urllib3's error for a body that is not whole."""
    with urllib3.PoolManager(retries=False) as http:
        answer = http.request(
            *("GET", service.url + PATH),
            headers={"Cookie": cookie_header(cookies)},
            preload_content=False,
            timeout=60,
        )
        assert answer.status == 200
        return sum(len(chunk) for chunk in answer.stream(64 * 1024))


def test_ten_downloads_at_once_take_little_memory(
    service: ServiceProcess, simulator: Simulator
) -> None:
    simulator.state.settings.file_bytes = 25 * MIB
    cookies = service.sign_in()
    assert service.request("GET", f"/api/news/{LETTER}", cookies=cookies)[0] == 200
    before = service.peak_memory()
    sizes = at_once([lambda: read(service, cookies)] * DOWNLOADS)
    assert sizes == [25 * MIB] * DOWNLOADS
    assert service.peak_memory() - before < 40


@pytest.mark.parametrize("fault", ["cut", "huge"])
def test_a_client_sees_that_a_file_is_not_whole(
    service: ServiceProcess, simulator: Simulator, fault: str, tmp_path: Path
) -> None:
    simulator.state.settings.file_bytes = MIB
    cookies = service.sign_in()
    simulator.faults.set("file.bytes", fault)
    with pytest.raises((urllib3.exceptions.ProtocolError, urllib3.exceptions.IncompleteRead)):
        read(service, cookies)
    simulator.faults.clear()
    assert read(service, cookies) == MIB
    [log] = tmp_path.glob("server-*.log")
    text = log.read_text()
    assert "a download was broken off" in text
    assert "Traceback" not in text
    assert "tmp_file" not in text
    assert "md5=" not in text
