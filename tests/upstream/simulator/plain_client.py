"""A plain HTTP client for the simulator, which uses nothing of ours."""

from typing import Any

import requests

# The pair of RFC 7636, appendix B.
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


class PlainClient:
    """Builds correct requests; a test changes what should be wrong."""

    def __init__(self, url: str) -> None:
        self.url = url

    def send(self, method: str, path: str, **rest: Any) -> requests.Response:
        rest.setdefault("timeout", 10)
        # Our own client is not used on purpose.
        return requests.request(  # noqa: TID251
            method, self.url + path, allow_redirects=False, **rest
        )

    def get(self, path: str, **rest: Any) -> requests.Response:
        return self.send("GET", path, **rest)

    def authorize(
        self, username: str = "elsa.nordvall", school: str = "bjorkdalen", /, **changes: Any
    ) -> requests.Response:
        """`changes` replace fields; None leaves the field out."""
        fields = {
            "username": username,
            "password": f"{username.split('.', maxsplit=1)[0].lower()}-demo",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "client_id": "eApp",
            "redirect_uri": "eapp://login",
            "response_type": "code",
            "state": "5b1e0c7d9a3f42e8b6a1c2d3e4f50617",
            "orgid": school,
        } | changes
        body = {name: value for name, value in fields.items() if value is not None}
        return self.send("POST", f"/{school}/rest-api/login/student/password", json=body)

    def exchange(
        self, code: str, verifier: str = VERIFIER, school: str = "bjorkdalen"
    ) -> requests.Response:
        body = {"clientId": "eApp", "grantType": "code", "code": code, "code_verifier": verifier}
        return self.send("POST", f"/{school}/rest-api/login/token", json=body)

    def log_in(self, username: str = "elsa.nordvall", school: str = "bjorkdalen") -> dict[str, Any]:
        """The token response of a whole login."""
        code = self.authorize(username, school).json()["code"]
        answer: dict[str, Any] = self.exchange(code, school=school).json()
        return answer

    def translate(self, token: str, school: str = "bjorkdalen") -> requests.Response:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        return self.send("POST", f"/{school}/rest-api/login/session", headers=headers)

    def sign_in(self, username: str = "elsa.nordvall", school: str = "bjorkdalen") -> str:
        """The value of a Cookie header, after a whole login."""
        token = self.log_in(username, school)["access_token"]
        return cookie_header(self.translate(token, school))

    def open(self, cookies: str, path: str, school: str = "bjorkdalen") -> requests.Response:
        """Get a path below the school's address, with these cookies."""
        return self.get(f"/{school}{path}", headers={"Cookie": cookies})

    def session(self, cookies: str, school: str = "bjorkdalen") -> requests.Response:
        return self.open(cookies, "/rest-api/session", school)

    def lessons(self, cookies: str, week: int = 11) -> requests.Response:
        return self.open(cookies, f"/rest-api/student/calendar/lessons/week/{week}")


def cookie_header(response: requests.Response) -> str:
    lines: list[str] = response.raw.headers.getlist("Set-Cookie")
    return "; ".join(line.split(";")[0] for line in lines)
