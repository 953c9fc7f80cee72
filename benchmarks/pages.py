"""`python -m benchmarks.pages`: how the web app feels on a slow phone, page by page.

It runs the demo behind the nginx of `deploy/`, signs somebody in, opens every page once, and then
measures it with Lighthouse, whose processor (four times slower) and line (1.6 Mbit/s, 150 ms) are
applied, not computed. Then it does what pupils do most, and says how many taps that takes and how
long the slowest of them was felt.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests
from playwright.sync_api import BrowserContext, Page, sync_playwright

from benchmarks.command import print_row, run
from benchmarks.processes import CORES, ROOT, CouldNotRun, free_port, running, wait_until
from benchmarks.tasks import TASKS, felt
from tests.nginx import MISSING, nginx_command, nginx_site, programs_missing

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LIGHTHOUSE = "npx --yes lighthouse@12.8.2"
# Elsa has something on every page; Bo has not arranged the first page, so it shows everything.
ELSA = {"username": "elsa.nordvall", "password": "elsa-demo", "school": "bjorkdalen"}
BO = {"username": "bo.ek", "password": "bo-demo", "school": "bjorkdalen"}
ROUTES = ROOT / "webapp/src/shell/pages.tsx"
# Where a page of one thing gets its id: the address to ask, the list in it, and the field.
IDS = {
    "/app/assignments/": ("/api/results", "results", "assignmentId"),
    "/app/news/": ("/api/news/articles", "articles", "id"),
    "/app/inbox/": ("/api/inbox", "messages", "id"),
    "/app/assessments/": ("/api/assessments", "assessments", "id"),
    "/app/subjects/": ("/api/subjects", "subjects", "id"),
    "/app/plannings/": ("/api/plannings/week", "plannings", "id"),
    "/app/chats/": ("/api/conversations", "conversations", "id"),
    "/app/people/": ("/api/friends", "friends", "userB"),
    "/app/notes/": ("/api/notes", "notes", "id"),
}


def main() -> None:
    """Print a table of the pages and one of the tasks."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__)
    parser.add_argument("--only", action="append", metavar="PATH", help="such as /app/week")
    parser.add_argument("--lighthouse", default=LIGHTHOUSE, help=f"the command ({LIGHTHOUSE})")
    parser.add_argument("--no-tasks", action="store_true", help="measure the pages only")
    parser.add_argument("--no-pages", action="store_true", help="do the tasks only")
    chosen = parser.parse_args()
    os.sched_setaffinity(0, CORES)  # there is no load to drive: the browser needs them
    command = chosen.lighthouse.split()
    with demo() as url:
        if not chosen.no_pages:
            measure_pages(command, url, chosen.only)
        if not chosen.no_tasks:
            do_tasks(url)


def measure_pages(command: list[str], url: str, only: list[str] | None) -> None:
    """Print a row for each page of Elsa, and one for somebody who has never been here."""
    scores = ("performance", "accessibility")
    print_row("page", "LCP, s", "CLS", "blocked, ms", *scores, "kB", header=True)
    with browser(url) as (_, port):
        print_row("first visit", *measured(command, f"{url}/app/", port))
    with browser(url, ELSA) as (context, port):
        paths = [path for path in pages(context, url) if not only or path in only]
        for path in paths:
            open_once(context, url + path).close()
        for path in paths:
            print_row(path, *measured(command, url + path, port, "--disable-storage-reset"))


def do_tasks(url: str) -> None:
    """Print a row for each task."""
    print_row("task", "taps from Home", "slowest, ms", header=True)
    with browser(url, BO) as (context, _):
        for name, task in TASKS.items():
            page = open_once(context, f"{url}/app/")
            taps, slowest = felt(page, task)
            print_row(name, str(taps), f"{slowest:.0f}")
            page.close()


@contextmanager
def demo() -> Iterator[str]:
    """The address of the demo behind nginx, on free ports and a database of its own."""
    if programs_missing():
        raise CouldNotRun(MISSING)
    port, simulator, front = free_port(), free_port(), free_port()
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "DEBUG": "1", "PORT": str(port), "SIMULATOR_PORT": str(simulator), "DATA_DIR": data,
            "RATE_LIMITS": "off",
        }  # fmt: skip
        url = f"http://localhost:{front}"
        proxy = nginx_command(Path(folder), nginx_site(front, [port], [port]))
        command = [sys.executable, "manage.py", "demo"]
        with running(command, environment=environment) as process, running(proxy):
            wait_until(lambda: answers(f"{url}/readyz"), process, "the demo")
            yield url


def answers(url: str) -> bool:
    """Whether something says there that it is well."""
    try:
        return requests.get(url, timeout=2).ok
    except requests.RequestException:
        return False


@contextmanager
def browser(url: str, person: dict[str, str] | None = None) -> Iterator[tuple[BrowserContext, int]]:
    """A phone's browser with a profile of its own, and the port by which Lighthouse steers it."""
    port = free_port()
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=CHROMIUM,
            args=["--no-sandbox", f"--remote-debugging-port={port}"],
            viewport={"width": 360, "height": 740},
            has_touch=True,
            is_mobile=True,
            locale="sv-SE",
        )
        if person and not context.request.post(f"{url}/api/login", data=person).ok:
            raise CouldNotRun("nobody can sign in to the demo")
        yield context, port
        context.close()


def pages(context: BrowserContext, url: str) -> list[str]:
    """The paths of the app's pages, with the id of something that Elsa has."""
    paths = re.findall(r'<Route path="([^"]+)"', ROUTES.read_text())
    made = [re.sub(r"(.*/):\w+", lambda match: with_id(context, url, match[1]), p) for p in paths]
    return [path for path in made if path != "/app/settings/children"]


def with_id(context: BrowserContext, url: str, prefix: str) -> str:
    """
    Raises:
        CouldNotRun: the demo has none.
    """
    address, name, field = IDS[prefix]
    rows = context.request.get(url + address).json().get(name)
    if not rows:
        raise CouldNotRun(f"{address} is empty")
    return prefix + str(rows[0][field])


def open_once(context: BrowserContext, address: str) -> Page:
    """Open a page until it has loaded all, so that the device keeps what it keeps."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return page


def measured(command: list[str], address: str, port: int, *options: str) -> list[str]:
    """What Lighthouse found: seconds, share of the screen, milliseconds, scores (and what lowers
    the second), kB over the line.

    Raises:
        CouldNotRun: Lighthouse failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        done = subprocess.run(
            [*command, address, f"--port={port}", "--output=json", f"--output-path={report}",
             "--quiet", "--throttling-method=devtools", *options,
             "--only-categories=performance,accessibility"],
            capture_output=True, text=True, timeout=180, check=False,
        )  # fmt: skip
        if done.returncode or not report.exists():
            raise CouldNotRun(f"{address}: {(done.stderr or done.stdout)[-400:]}")
        found: dict[str, Any] = json.loads(report.read_text())
    value = {name: audit.get("numericValue", 0) for name, audit in found["audits"].items()}
    performance, accessibility = (
        found["categories"][name] for name in ("performance", "accessibility")
    )
    wrong = [
        ref["id"]
        for ref in accessibility["auditRefs"]
        if ref["weight"] and found["audits"][ref["id"]]["score"] == 0
    ]
    return [
        f"{value['largest-contentful-paint'] / 1000:.2f}",
        f"{value['cumulative-layout-shift']:.3f}",
        f"{value['total-blocking-time']:.0f}",
        f"{100 * (performance['score'] or 0):.0f}",
        " ".join([f"{100 * (accessibility['score'] or 0):.0f}", *wrong]),
        f"{value['total-byte-weight'] / 1000:.0f}",
    ]


if __name__ == "__main__":
    sys.exit(run(main))
