"""A real Firefox without a window, driven over Marionette: `[0, id, command, parameters]` in JSON,
after its length.

https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

import pytest

FIREFOX: Final = shutil.which("firefox-esr") or shutil.which("firefox")
NEEDS_FIREFOX: Final = [
    pytest.mark.firefox,
    pytest.mark.skipif(FIREFOX is None, reason="Firefox is missing"),
]
_START_SECONDS: Final = 60
_QUIT_SECONDS: Final = 20
# The last one: scripts may also run in the browser's own windows.
_FLAGS: Final = ("--headless", "--no-remote", "--marionette", "--remote-allow-system-access")
_PREFERENCES: Final = {
    "marionette.port": 0,
    # Those that Marionette recommends turn pushes off, while the browser starts.
    "remote.prefs.recommended": False,
    "dom.push.testing.allowInsecureServerURL": True,
    "dom.push.retryBaseInterval": 200,
    "permissions.default.desktop-notification": 1,
    # Nobody clicks.
    "dom.webnotifications.requireuserinteraction": False,
    # For how many milliseconds after a click a tab may be opened or focused; a second otherwise,
    # which a busy machine exceeds.
    "dom.webnotifications.disable_open_click_delay": 60_000,
    # Notifications of a desktop need a session bus.
    "alerts.useSystemBackend": False,
    # It asks nobody outside.
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.region.network.url": "",
    "browser.region.update.enabled": False,
    "browser.safebrowsing.blockedURIs.enabled": False,
    "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.search.update": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "browser.topsites.contile.enabled": False,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "datareporting.usage.uploadEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "network.manage-offline-status": False,
    "services.settings.server": "data:,nothing",
    "telemetry.fog.test.localhost_port": -1,
    "termsofuse.bypassNotification": True,
    "toolkit.telemetry.enabled": False,
    "toolkit.telemetry.server": "",
    "trailhead.firstrun.didSeeAboutWelcome": True,
}


class FirefoxFailed(Exception):
    """It did not start, or a command failed."""


class Firefox:
    """One browser with a profile of its own in `folder`."""

    def __init__(self, folder: Path, preferences: dict[str, str | int | bool]) -> None:
        self._profile = folder / "profile"
        self._profile.mkdir()
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in (_PREFERENCES | preferences).items()
        ]
        (self._profile / "user.js").write_text("".join(lines))
        self._log = folder / "firefox.log"
        self._start(self._profile / "MarionetteActivePort")

    def open(self, url: str) -> None:
        self._command("WebDriver:Navigate", {"url": url})

    def run(self, script: str, *arguments: Any, within: float = 15) -> Any:
        """What the body of an async function returns in the page, as JSON; `arguments` are its
        arguments. `within` is in seconds. Raises: FirefoxFailed."""
        self._command("WebDriver:SetTimeouts", {"script": int(within * 1000)})
        parameters = {"script": _AWAITED % script, "args": list(arguments)}
        answer = self._command("WebDriver:ExecuteAsyncScript", parameters, within + 5)
        if "error" in answer["value"]:
            raise FirefoxFailed(answer["value"]["error"])
        return answer["value"]["result"]

    def tabs(self) -> int:
        """How many are open."""
        return len(self._command("WebDriver:GetWindowHandles", {}))

    def click(self, title: str) -> None:
        """Click the notification with this title, on the screen. Raises: FirefoxFailed."""
        self._command("Marionette:SetContext", {"value": "chrome"})
        try:
            self.run(_CLICK, title)
        finally:
            self._command("Marionette:SetContext", {"value": "content"})

    def quit(self) -> None:
        with suppress(OSError, FirefoxFailed):
            self._command("Marionette:Quit", {"flags": ["eForceQuit"]})
        self._answers.close()
        self._socket.close()
        try:
            self._process.wait(_QUIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill()

    def _start(self, port: Path) -> None:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [str(FIREFOX), *_FLAGS, "--profile", str(self._profile), "about:blank"],
                env=_environment(self._profile.parent),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            self._connect(port)
        except BaseException:
            self._kill()
            raise

    def _connect(self, port: Path) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not (port.exists() and port.read_text()):
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise FirefoxFailed(self._log.read_text()[-2000:])
            time.sleep(0.05)
        self._socket = socket.create_connection(("127.0.0.1", int(port.read_text())), timeout=15)
        self._answers: BinaryIO = self._socket.makefile("rb")
        self._number = 0
        _read(self._answers)  # the greeting
        self._command("WebDriver:NewSession", {"pageLoadStrategy": "normal"})

    def _command(self, name: str, parameters: dict[str, Any], within: float = 30) -> Any:
        """The result. Raises: FirefoxFailed."""
        self._number += 1
        text = json.dumps([0, self._number, name, parameters]).encode()
        try:
            self._socket.settimeout(within)
            self._socket.sendall(b"%d:%b" % (len(text), text))
            _, _, error, result = _read(self._answers)
        except OSError as failure:
            raise FirefoxFailed(f"{name}: {failure}") from failure
        if error is not None:
            raise FirefoxFailed(f"{error['error']}: {error['message']}")
        return result

    def _kill(self) -> None:
        """All its processes."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, 9)
        self._process.wait(_QUIT_SECONDS)


# Marionette calls the last argument with the result.
_AWAITED: Final = """
const done = arguments[arguments.length - 1];
(async (...args) => { %s })(...Array.prototype.slice.call(arguments, 0, -1)).then(
    (result) => done({ result: result === undefined ? null : result }),
    (error) => done({ error: String(error) }),
);
"""
# Each notification is a window, which listens for clicks a moment after it has its title.
_CLICK: Final = """
const [title] = args;
for (;;) {
    for (const { document, gIsActive } of Services.wm.getEnumerator("alert:alert")) {
        if (gIsActive && document.getElementById("alertTitleLabel").value === title) {
            return document.getElementById("alertBox").click();
        }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
}
"""


def _environment(home: Path) -> dict[str, str]:
    return dict(os.environ) | {"HOME": str(home), "MOZ_CRASHREPORTER_DISABLE": "1"}


def _read(answers: BinaryIO) -> Any:
    """The next message. Raises: OSError."""
    length = b""
    while (digit := answers.read(1)) != b":":
        if not digit.isdigit():
            raise ConnectionResetError("the connection has ended")
        length += digit
    return json.loads(answers.read(int(length)))


@contextmanager
def running(
    folder: Path, push_service: str, preferences: Mapping[str, str | int | bool] | None = None
) -> Iterator[Firefox]:
    """A started browser that uses the push service with this WebSocket URL."""
    firefox = Firefox(folder, {"dom.push.serverURL": push_service, **(preferences or {})})
    try:
        yield firefox
    finally:
        firefox.quit()
