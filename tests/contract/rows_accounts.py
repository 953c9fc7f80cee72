"""The service itself, signing in, profiles and pictures, the account."""

from tests.contract.matrix import Row, elsas, own, public

ROWS: dict[str, list[Row]] = {
    "home": [public("GET", "/")],
    "healthz": [public("GET", "/healthz")],
    "readyz": [public("GET", "/readyz")],
    "schema": [public("GET", "/api/schema")],
    "docs": [public("GET", "/api/docs")],
    "version": [public("GET", "/api/version")],
    "stats": [public("GET", "/api/stats")],
    "schools": [public("GET", "/api/schools")],
    "login": [public("POST", "/api/login", 400, {})],
    "v2-initiate": [public("POST", "/api/v2/initiate", 400, {})],
    "v2-callback": [public("POST", "/api/v2/callback", 400, {})],
    "logout": [public("POST", "/api/logout")],
    "v2-token-refresh": [own("POST", "/api/v2/token-refresh")],
    "token": [own("POST", "/api/token")],
    "refresh": [own("POST", "/api/refresh")],
    "session": [own("GET", "/api/session")],
    "sessions": [own("GET", "/api/sessions"), own("DELETE", "/api/sessions")],
    "sessions-entry": [elsas("DELETE", "/api/sessions/{session}")],
}
