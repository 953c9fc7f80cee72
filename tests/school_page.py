"""Walks through the simulated school's own sign-in page, as a browser does, but without scripts."""

import re
from html import unescape
from urllib.parse import parse_qsl, urljoin, urlsplit

import requests
from requests.sessions import Session


def sign_in_at_school(address: str, username: str, *, password: str = "") -> str | None:
    """Sign in at the page, with a password or at the identity provider. Returns where the browser
    is sent then, which is the callback; None if the person stays on the school's page."""
    session = Session()
    shown = _get(session, _without_script(address))
    if password:
        form = _attribute(shown, "action")
        fields = {"username": username, "password": password}
    else:
        provider = _get(session, urljoin(shown.url, _link(shown, "BankID")))
        form = _attribute(provider, "action")
        fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', provider.text))
        fields = {name: unescape(value) for name, value in fields.items()}
        fields["SAMLResponse"] = username
        shown = provider
    answer = session.post(urljoin(shown.url, form), data=fields, timeout=10, allow_redirects=False)
    while (location := answer.headers.get("Location", "")).startswith("/"):
        answer = _get(session, _without_script(urljoin(answer.url, location)))
    return location or None


def cancel_at_school(address: str) -> str:
    """The callback of somebody who changes their mind."""
    shown = _get(Session(), _without_script(address))
    return _link(shown, "Avbryt")


def callback_values(callback: str | None) -> dict[str, str]:
    assert callback is not None
    return dict(parse_qsl(urlsplit(callback).query))


def _get(session: Session, url: str) -> requests.Response:
    answer = session.get(url, timeout=10, allow_redirects=False)
    if answer.headers.get("Location", "").startswith("/_"):
        return _get(session, urljoin(url, answer.headers["Location"]))
    return answer


def _without_script(address: str) -> str:
    """What the script of the page opens: what stands after the `#` becomes a path and a query."""
    page, _, route = address.partition("#/login/")
    return f"{page}sign-in/{route}" if route else page


def _link(shown: requests.Response, text: str) -> str:
    found = re.search(rf'<a href="([^"]+)">{text}', shown.text)
    assert found, shown.text
    return unescape(found[1])


def _attribute(shown: requests.Response, name: str) -> str:
    found = re.search(rf'{name}="([^"]+)"', shown.text)
    assert found, shown.text
    return unescape(found[1])
