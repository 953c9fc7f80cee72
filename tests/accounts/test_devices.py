"""The device label of a login."""

import pytest
from django.utils import translation

from accounts.devices import device_label, device_name

WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "label"),
    [
        ("(X11; Linux x86_64; rv:145.0) Gecko Firefox/145.0", "Firefox on Linux"),
        (f"(Linux; Android 15) {WEBKIT} Chrome/142.0 Mobile Safari/537", "Chrome on Android"),
        (f"(Windows NT 10.0) {WEBKIT} Chrome/142.0 Safari/537 Edg/142.0", "Edge on Windows"),
        (f"(iPhone; CPU iPhone OS 18 like Mac OS X) {WEBKIT} Safari/604", "Safari on iPhone"),
        (f"(X11; CrOS x86_64 1) {WEBKIT} Chrome/142.0 Safari/537", "Chrome on ChromeOS"),
        ("okhttp/4.12.0", ""),
        ("<script>alert(1)</script> Windows", "Windows"),
        ("", ""),
        ("x" * 100_000, ""),
    ],
)
def test_it_names_browser_and_system_only(user_agent: str, label: str) -> None:
    assert device_label(f"Mozilla/5.0 {user_agent}") == label


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Firefox on Android", "Firefox på Android"),
        ("Safari on iPhone", "Safari på iPhone"),
        ("Windows", "Windows"),
        ("Elsa on tour", "Elsa on tour"),
        ("Firefox on Elsas dator", "Firefox on Elsas dator"),
        ("", ""),
    ],
)
def test_it_is_said_in_the_language_of_the_reader(label: str, name: str) -> None:
    with translation.override("sv"):
        assert device_name(label) == name
    with translation.override("en"):
        assert device_name(label) == label
