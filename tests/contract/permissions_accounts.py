"""The service itself, signing in, profiles and pictures, the account."""

from tests.contract.permission_rows import Row, elsas, own, public

ROWS: dict[str, list[Row]] = {
    "home": [public("GET", "/")],
    "healthz": [public("GET", "/healthz")],
    "readyz": [public("GET", "/readyz")],
    # Off, as it is unless somebody asks for it.
    "metrics": [public("GET", "/metrics", 404)],
    "schema": [public("GET", "/api/schema")],
    "docs": [public("GET", "/api/docs")],
    "version": [public("GET", "/api/version")],
    "stats": [public("GET", "/api/stats")],
    "stats-page": [public("GET", "/stats")],
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
    "account": [own("DELETE", "/api/account", 400, {})],
    "account-export": [own("GET", "/api/account/export")],
    "profile": [own("GET", "/api/profile"), own("PUT", "/api/profile", 200, {"bio": "Hej"})],
    "profile-picture": [
        own("POST", "/api/profile/picture", 400, {}),
        own("DELETE", "/api/profile/picture"),
    ],
    "pfp-upload": [own("POST", "/api/pfp-upload", 400, {})],
    "picture": [Row("GET", "{picture}", 200, 200, 200, 200, 200, 404)],
    "sessions-entry": [elsas("DELETE", "/api/sessions/{session}")],
}
