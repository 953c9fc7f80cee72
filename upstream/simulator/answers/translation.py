"""A Bearer token becomes the cookies of a web session, in both dialects."""

from upstream.simulator.http_exchange import Request, Response, as_json, redirect
from upstream.simulator.people import School
from upstream.simulator.state import State
from upstream.simulator.web_sessions import WebSession

# The words of the bridge's address for each role.
_BRIDGE_WORDS = {"student": {"student"}, "guardian": {"parent"}, "teacher": {"teacher", "staff"}}


def login_session(request: Request, state: State) -> Response:
    """The specified POST with an Authorization header."""
    person = state.tokens.person_of(request.school, request.bearer)
    if person is None:
        return as_json({"error": "Unauthorized"}, 401)
    session = state.open_web_session(person, "specified")
    return as_json({}).with_headers(*set_cookies(session))


def bridge(request: Request, state: State) -> Response:
    """The GET of public clients: the token in a header of its own, a redirect either way."""
    school = state.schools[request.school]
    person = state.tokens.person_of(school.slug, request.headers.get("token"))
    word = request.args["role"]
    if person is None or word not in _BRIDGE_WORDS[person.role] or not _ids_fit(request, school):
        return redirect(f"/{school.slug}/react/#/login/{word}?error=other", 303)
    if request.headers.get("userid", str(person.user_id)) != str(person.user_id):
        return redirect(f"/{school.slug}/react/#/login/{word}?error=other", 303)
    session = state.open_web_session(person, "observed")
    landing = f"/{school.slug}/react/#/{word}/subjectrooms"
    return redirect(landing, 303).with_headers(
        *set_cookies(session), ("Set-Cookie", f"clientType=eApp; Path=/{school.slug}")
    )


def set_cookies(session: WebSession) -> list[tuple[str, str]]:
    """The three headers. They all claim to be for https, as the real ones do."""
    slug = session.person.school
    return [
        ("Set-Cookie", f"JSESSIONID={session.jsessionid}; Path=/{slug}; HttpOnly; Secure"),
        ("Set-Cookie", f"hash={session.hash}; Path=/"),
        ("Set-Cookie", f"usertype={session.user_type[0]}; Path=/"),
    ]


def _ids_fit(request: Request, school: School) -> bool:
    """An id that is sent must be right; one that is left out does not matter."""
    return request.headers.get("orgid", school.slug) in (school.slug, str(school.org_id))
