"""Malformed responses: the handler has done its work, but its response is changed.

Only successful responses are changed.
"""

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from upstream.simulator.http_exchange import Response

Alteration = Callable[..., Response]
"""Called with the response and the fault's options by name."""


def _json(change: Callable[..., Any]) -> Alteration:
    """Change the JSON of a response, in place or by returning something else."""

    def alter(response: Response, **options: Any) -> Response:
        data = json.loads(response.body)
        changed = change(data, **options)
        data = data if changed is None else changed
        return response.with_body(json.dumps(data, ensure_ascii=False).encode())

    return alter


def _without_fields(*names: str) -> Alteration:
    def change(data: dict[str, Any]) -> None:
        for name in names:
            data.pop(name, None)

    return _json(change)


def _with_fields(**values: Any) -> Alteration:
    return _json(lambda data: data.update(values))


def _lifetime(data: dict[str, Any], *, lifetime: object = -1) -> None:
    data["expires" if "expires" in data else "expires_in"] = lifetime


def _short_names(data: dict[str, Any]) -> dict[str, Any]:
    renamed = {"token_type": "type", "expires_in": "expires"}
    return {renamed.get(name, name): value for name, value in data.items()}


def _bare_string(response: Response) -> Response:
    return response.with_body(json.loads(response.body)["access_token"].encode())


def _past_token(data: dict[str, Any], *, seconds: int = 60) -> None:
    """No lifetime, and a token that says that it has ended."""
    _set_claim(data, lambda claims: claims.update(exp=claims["iat"] - seconds))


def _endless_token(data: dict[str, Any]) -> None:
    """Neither the answer nor the token says when it ends."""
    _set_claim(data, lambda claims: claims.pop("exp"))


def _set_claim(data: dict[str, Any], change: Callable[[dict[str, Any]], object]) -> None:
    head, claims, signature = data["access_token"].split(".")
    document = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    change(document)
    encoded = base64.urlsafe_b64encode(json.dumps(document).encode()).rstrip(b"=").decode()
    data["access_token"] = f"{head}.{encoded}.{signature}"
    for name in ("expires_in", "expires"):
        data.pop(name, None)


def _as_text(response: Response) -> Response:
    return replace(response, headers=(("Content-Type", "text/plain"),))


def _organization(data: dict[str, Any], *, organization: object = 57) -> None:
    data["organization"] = {**data["organization"], "id": organization}


def _other_child(data: dict[str, Any]) -> None:
    """Names another child than the one in focus; without another, one that does not exist."""
    others = [child["id"] for child in data["children"] if child["id"] != data["currentChildId"]]
    data["currentChildId"] = others[0] if others else 1


def _object_map(data: list[Any]) -> dict[str, Any]:
    return {str(index): item for index, item in enumerate(data)}


def _odd_items(data: list[Any]) -> list[Any]:
    without_start = {name: v for name, v in (data or [{}])[0].items() if name != "startDate"}
    return [None, "lesson", 7, [], without_start, *data]


# --- Cookies ---


def _cookies(change: Callable[[str], str | None]) -> Alteration:
    """Change each `Set-Cookie` header, or leave it out."""

    def alter(response: Response) -> Response:
        changed = [
            (name, change(value) if name == "Set-Cookie" else value)
            for name, value in response.headers
        ]
        headers = tuple((name, value) for name, value in changed if value is not None)
        return replace(response, headers=headers)

    return alter


MALFORMED: dict[str, Alteration] = {
    # any JSON
    "truncated": lambda response: response.with_body(response.body[: len(response.body) // 2]),
    # login.password
    "200-no-code": _without_fields("code"),
    "no-state": _without_fields("state"),
    "state-echo-wrong": _with_fields(state="0" * 32),
    "redirect-uri-wrong": _with_fields(redirect_uri="https://elsewhere.example/"),
    # login.token
    "bare-string": _bare_string,
    "no-lifetime": _without_fields("expires_in", "expires"),
    "nonsense-lifetime": _json(_lifetime),
    "type-expires": _json(_short_names),
    "past-token": _json(_past_token),
    "endless-token": _json(_endless_token),
    "as-text": _as_text,
    # login.session
    "missing-hash": _cookies(lambda line: None if line.startswith("hash=") else line),
    "bad-cookie-value": _cookies(lambda line: line.replace("JSESSIONID=", 'JSESSIONID=a b"c\\', 1)),
    # session
    "other-organization": _json(_organization),
    "no-organization": _without_fields("organization"),
    # child
    "no-children": _without_fields("children"),
    "other-child": _json(_other_child),
    "no-current-child": _without_fields("currentChildId", "currentOrgId"),
    # lists
    "object-map": _json(_object_map),
    "odd-items": _json(_odd_items),
    "empty-list": _json(lambda _data: []),
}
