"""Which addresses a push may go to."""

from ipaddress import ip_address

import pytest
from pytest_django.fixtures import Settings

from notifications.errors import PushEndpointRefused
from notifications.push.client import AddressRefused, _is_public, post
from notifications.push.endpoints import invalid_hosts, read_endpoint

BROWSERS = [
    "https://fcm.googleapis.com/fcm/send/dXg:APA91",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAAA?x=1",
    "https://web.push.apple.com/QGuQyavXutnMH",
    "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA",
    "https://FCM.googleapis.com:443/fcm/send/x",
]
INSIDE = [
    "http://fcm.googleapis.com/x",
    "https://localhost/x",
    "https://localhost./x",
    "https://127.0.0.1/x",
    "https://127.1/x",
    "https://2130706433/x",
    "https://0x7f000001/x",
    "https://0x7f.1/x",
    "https://0177.0.0.1/x",
    "https://017700000001/x",
    "https://0/x",
    "https://0.0.0.0/x",
    "https://[::1]/x",
    "https://[::]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://[0:0:0:0:0:ffff:7f00:1]/x",
    "https://[64:ff9b::7f00:1]/x",
    "https://[fe80::1%25eth0]/x",
    "https://10.0.0.5/x",
    "https://169.254.169.254/latest/meta-data/",
    "https://192.168.0.1/x",
    "https://127.0.0.1.nip.io/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://evilfcm.googleapis.com/x",
    "https://fcm.googleapis.com@127.0.0.1/x",
    "https://user:word@fcm.googleapis.com/x",
    "https://127.0.0.1#@fcm.googleapis.com/x",
    "https://127.0.0.1\\@fcm.googleapis.com/x",
    "https://127.0.0.1%2f@fcm.googleapis.com/x",
    "https://fcm.googleapis.com:80/x",
    "https://fcm.googleapis.com:8443/x",
    "https://fcm.googleapis.com:/x",
    "https://fcm.googleapis.com:0443/x",
    "https://fcm.googleapis.com:99999/x",
    "https://fcm.googleapis.com:x/x",
    "https://fcm.googleapis.com./x",
    "https://fcm。googleapis.com/x",
    "https://ｆcm.googleapis.com/x",
    "https://①②⑦.⓪.⓪.①/x",
    "https://fcm.googleapis.com%00.evil.example/x",
    "https://push.apple.com/x",
    "https://.push.apple.com/x",
    "https://a..push.apple.com/x",
    "https://-a.push.apple.com/x",
    "https://fcm.googleapis.com/x#y",
    "https://fcm.googleapis.com/x\r\nHost: localhost",
    "https://fcm.googleapis.com/x y",
    "https:/fcm.googleapis.com/x",
    "https://",
    "//fcm.googleapis.com/x",
    "ftp://fcm.googleapis.com/x",
    "fcm.googleapis.com",
    "",
    "https://fcm.googleapis.com/" + "x" * 2048,
]


@pytest.mark.parametrize("url", BROWSERS)
def test_the_services_of_browsers_are_allowed(url: str) -> None:
    endpoint = read_endpoint(url)
    assert endpoint.port == 443
    assert endpoint.origin == f"https://{endpoint.host}"
    assert not endpoint.listed_port


@pytest.mark.parametrize("url", INSIDE)
def test_everything_else_is_refused(url: str) -> None:
    with pytest.raises(PushEndpointRefused):
        read_endpoint(url)


def test_an_operator_adds_or_replaces_hosts(settings: Settings) -> None:
    settings.PUSH_HOSTS = ["+push.skola.example:8443", "+Up.skola.example"]
    endpoint = read_endpoint("https://push.skola.example:8443/up?token=1")
    assert endpoint.listed_port
    assert (endpoint.target, endpoint.origin) == ("/up?token=1", "https://push.skola.example:8443")
    assert not read_endpoint("https://up.skola.example/x").listed_port
    assert read_endpoint(BROWSERS[0])
    settings.PUSH_HOSTS = ["up.skola.example"]
    assert read_endpoint("https://up.skola.example/x")
    for refused in (BROWSERS[0], "https://push.skola.example:8443/x"):
        with pytest.raises(PushEndpointRefused):
            read_endpoint(refused)


def test_a_listed_name_never_makes_an_address_literal_valid(settings: Settings) -> None:
    settings.PUSH_HOSTS = ["+127.0.0.1:8443"]
    with pytest.raises(PushEndpointRefused):
        read_endpoint("https://127.0.0.1:8443/x")
    assert invalid_hosts(settings.PUSH_HOSTS) == ["+127.0.0.1:8443"]


def test_entries_that_name_no_host_are_found() -> None:
    fine = ["+push.skola.example:8443", "*.skola.example", "fcm.googleapis.com"]
    wrong = ["https://push.skola.example", "*", "a b", "+", "push.example:x"]
    assert invalid_hosts(fine + wrong) == wrong


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("142.250.74.10", True),
        ("2a00:1450:400f:80c::200a", True),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("127.0.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fc00::1", False),
        ("ff02::1", False),
        ("::ffff:10.0.0.1", False),
        ("::ffff:142.250.74.10", True),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::a00:1", False),
        ("2002:7f00:1::", False),
        ("2001:0:53aa:64c::1", False),
    ],
)
def test_only_public_addresses_are_connected_to(address: str, public: bool) -> None:
    assert _is_public(ip_address(address)) is public


def test_a_listed_host_whose_address_is_inside_is_refused(settings: Settings) -> None:
    settings.PUSH_HOSTS = ["+localhost"]
    with pytest.raises(AddressRefused):
        post(read_endpoint("https://localhost/x"), headers={}, body=b"")
