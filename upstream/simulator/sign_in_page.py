"""The school's own sign-in page, and the identity provider that it may send people to.

The real page is a script that reads what stands after the `#`. Here the script only sends the
browser on to `PAGE`, with that as the query, so that a client without scripts can walk the same
way. An identity provider is outside of every school: no slug begins with an underscore.
"""

import html
import secrets
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit

from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_json, redirect
from upstream.simulator.people import Person, School
from upstream.simulator.state import State

SAML_START = "/rest-api/login/{role}/saml"
PAGE = "/react/sign-in/{role}"
PASSWORD = "/react/sign-in/{role}/password"  # noqa: S105, a path
EXTERNAL = "/react/sign-in/{role}/external"
PROVIDER = "/_provider"
ASSERTION = "/Shibboleth.sso/SAML2/POST"

_ROLES = {"eApp": "student", "vApp": "guardian"}
_FIXED = {"code_challenge_method": "S256", "response_type": "code"}
_NEEDED = {"client_id", "redirect_uri", "state", "code_challenge", *_FIXED}
_NOT_ACTIVE = "Vi kunde inte hitta användaren, eller så är den inte aktiv på skolan."
_SHIBBOLETH = "_shibsession_73696d"

# The query of the page stands after the `#`, behind the route: `#/login/student?client_id=...`.
SCRIPT_PAGE = """<!DOCTYPE html><html lang="sv"><head><meta charset="utf-8"><title>Logga in</title>
<link rel="icon" href="data:,"></head><body><noscript>Sidan behöver JavaScript.</noscript><script>
const [route, query = ""] = location.hash.slice(1).split("?");
const [, kind, more] = /^\\/login\\/(\\w+)(\\/external)?$/.exec(route) ?? [];
if (kind) location.replace("sign-in/" + kind + (more ?? "") + "?" + query);
</script></body></html>"""


def script_page(_request: Request, _state: State) -> Response:
    return _html(SCRIPT_PAGE)


def methods(request: Request, state: State) -> Response:
    """The login methods of the school for a kind of client and person."""
    if set(request.query) != {"client_id", "usertype"}:
        return as_json({"userMessage": "Felaktig begäran."}, 400)
    numbers = [int(number) for number in state.schools[request.school].login_methods.split(",")]
    form = state.settings.methods_form
    if form == "texts":
        return as_json([str(number) for number in numbers])
    return as_json(
        [{"id": number, "name": "x"} for number in numbers] if form == "objects" else numbers
    )


def page(request: Request, state: State) -> Response:
    """The ways to sign in that the school offers."""
    if not _is_complete(request.query):
        return _text("Länken är inte giltig.", 400)
    school, role = state.schools[request.school], request.args["role"]
    numbers = school.login_methods.split(",")
    if state.settings.authorize == "only-saml":
        numbers = ["3"]
    query = urlencode(request.query, quote_via=quote)
    parts = []
    if "4" in numbers:
        parts.append(
            f'<form method="post" action="{role}/password?{html.escape(query)}">'
            '<label>Användarnamn <input name="username"></label>'
            '<label>Lösenord <input name="password" type="password"></label>'
            "<button>Logga in</button></form>"
        )
    if {"3", "11"} & set(numbers):
        back = {name: request.query[name] for name in sorted(_NEEDED - {"response_type"})}
        relay = f"../react/#/login/{role}/external?{urlencode(back, quote_via=quote)}"
        start = {"client_id": request.query["client_id"], "lang": 2, "RelayState": relay}
        address = f"/{school.slug}/rest-api/login/{role}/saml?{urlencode(start, quote_via=quote)}"
        parts.append(f'<p><a href="{html.escape(address)}">BankID eller skolkonto</a></p>')
    cancel = _callback(request.query, error="access_denied")
    parts.append(f'<p><a href="{html.escape(cancel)}">Avbryt</a></p>')
    return _html(f"<h1>{html.escape(school.name)}</h1>{''.join(parts)}")


def password(request: Request, state: State) -> Response:
    """The school's form: never seen by anybody else."""
    form = _form(request)
    person = state.schools[request.school].person(form.get("username", ""))
    if person is None or person.password != form.get("password"):
        return _text("Felaktigt användarnamn eller lösenord.")
    return _finish(person, request.query, state)


def saml_start(request: Request, _state: State) -> Response:
    """Sends the browser to the identity provider, which returns the RelayState."""
    relay = request.query.get("RelayState", "")
    if request.query.get("client_id") not in _ROLES or not relay.startswith("../react/#/login/"):
        return _text("Länken är inte giltig.", 400)
    query = urlencode({"school": request.school, "RelayState": relay}, quote_via=quote)
    return redirect(f"{PROVIDER}?{query}")


def provider(request: Request, state: State) -> Response:
    """The identity provider's page: sign in as anybody of the school, or cancel."""
    school = state.schools.get(request.query.get("school", ""))
    relay = request.query.get("RelayState", "")
    if school is None:
        return NOT_FOUND
    fields = f'<input type="hidden" name="school" value="{school.slug}">'
    if state.settings.saml != "no-relay-state":
        fields += f'<input type="hidden" name="RelayState" value="{html.escape(relay)}">'
    people = "".join(
        f'<p><button name="SAMLResponse" value="{html.escape(person.username)}">'
        f"{html.escape(f'{person.first_name} {person.last_name}')}</button></p>"
        for person in school.people.values()
    )
    form = f'<form method="post" action="{ASSERTION}">{fields}{people}</form>'
    back = _callback(dict(parse_qsl(relay.partition("?")[2])), error="access_denied")
    return _html(f'<h1>Legitimering</h1>{form}<p><a href="{html.escape(back)}">Avbryt</a></p>')


def assertion(request: Request, state: State) -> Response:
    """Takes the provider's answer, and sends the browser back to where it began."""
    form = _form(request)
    school, relay = state.schools.get(form.get("school", "")), form.get("RelayState", "")
    person = school.person(form.get("SAMLResponse", "")) if school else None
    if school is None or person is None or state.settings.saml == "refused":
        return _text("Legitimeringen misslyckades.", 403)
    if not relay:
        return _text("Du är inloggad hos legitimeringen, men ingen väntar på det.")
    address = urljoin(f"/{school.slug}/login/", relay) + "&initiated=true"
    shibboleth = secrets.token_hex(8)
    state.assertions[shibboleth] = person
    cookie = ("Set-Cookie", f"{_SHIBBOLETH}={shibboleth}; Path=/; HttpOnly")
    return redirect(address).with_headers(cookie)


def external(request: Request, state: State) -> Response:
    """Who comes back from the identity provider gets a code, once."""
    person = state.assertions.pop(request.cookies.get(_SHIBBOLETH, ""), None)
    query = {"response_type": "code", **request.query}
    if person is None or person.school != request.school or not _is_complete(query):
        return _text("Länken är inte giltig.", 400)
    return _finish(person, query, state)


def _finish(person: Person, query: dict[str, str], state: State) -> Response:
    """Back to the client with a code, if the person is of the kind that the client is for."""
    if person.role != _ROLES[query["client_id"]]:
        return _text(_NOT_ACTIVE)
    behaviour, settings = state.settings.authorize, state.settings
    if behaviour == "no-callback":
        return _text("Något gick fel.")
    if behaviour == "error":
        return redirect(_callback(query, error="server_error", error_description="Något gick fel"))
    code = state.tokens.issue_code(
        person, query["code_challenge"], settings.code_seconds, query["client_id"]
    )
    more = {"session_state": "x7", "iss": "simulator"} if behaviour == "more-parameters" else {}
    if behaviour == "other-state":
        query = {**query, "state": secrets.token_hex(16)}
    return redirect(_callback(query, code=code, **more))


def _callback(query: dict[str, str], **values: str) -> str:
    address = query.get("redirect_uri", "")
    joint = "&" if "?" in address else "?"
    fields = {**values, "state": query.get("state", "")}
    return f"{address}{joint}{urlencode(fields, quote_via=quote)}"


def _is_complete(query: dict[str, str]) -> bool:
    return (
        all(query.get(name) for name in _NEEDED)
        and all(query[name] == value for name, value in _FIXED.items())
        and query["client_id"] in _ROLES
        and urlsplit(query["redirect_uri"]).scheme != "javascript"
    )


def _form(request: Request) -> dict[str, str]:
    return dict(parse_qsl(request.body.decode(errors="replace")))


def parent(request: Request, state: State) -> Response:
    """A guardian and the children, for a Bearer token; nobody else has such a page."""
    person = state.tokens.person_of(request.school, request.bearer)
    if person is None:
        return as_json({"error": "Unauthorized"}, 401)
    if person.role != "guardian":
        return as_json({"userMessage": _NOT_ACTIVE}, 404)
    return as_json(
        {
            "guid": f"g-{person.user_id}",
            "userId": person.user_id,
            "firstName": person.first_name,
            "lastName": person.last_name,
            "children": [
                _child(child, state.schools[person.school], state)
                for child in state.children_of(person)
            ],
        }
    )


def _child(child: Person, school: School, state: State) -> dict[str, object]:
    return {
        "studentId": child.user_id,
        "firstName": child.first_name,
        "lastName": child.last_name,
        "picture": None,
        "guid": f"g-{child.user_id}",
        "username": child.username,
        "schools": [
            {"orgId": org_id, "name": school.name, "className": None}
            for org_id in state.org_ids(child)
        ],
    }


def _html(body: str, status: int = 200) -> Response:
    if not body.startswith("<!DOCTYPE"):
        head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        head += '<link rel="icon" href="data:,">'
        body = f'<!DOCTYPE html><html lang="sv"><head>{head}</head><body>{body}</body></html>'
    return Response(status, body.encode(), (("Content-Type", "text/html; charset=UTF-8"),))


def _text(sentence: str, status: int = 200) -> Response:
    return _html(f"<p>{html.escape(sentence)}</p>", status)
