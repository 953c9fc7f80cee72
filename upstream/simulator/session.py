"""The session document, and a guardian's child in focus."""

from upstream.simulator.http_exchange import (
    FORBIDDEN,
    NOT_FOUND,
    UNAUTHORIZED,
    Request,
    Response,
    as_json,
)
from upstream.simulator.people import Person
from upstream.simulator.state import State
from upstream.simulator.web_sessions import USER_TYPES, WebSession


def session(request: Request, state: State) -> Response:
    web = state.web_session(request.school, request.cookies)
    if web is not None:
        return as_json(_document(web.person, web.user_type, state))
    if state.settings.bearer_session:
        person = state.tokens.person_of(request.school, request.bearer)
        if person is not None:
            return as_json(_document(person, USER_TYPES["observed"][person.role], state))
    return UNAUTHORIZED


def _document(person: Person, user_type: tuple[int, str], state: State) -> dict[str, object]:
    """The person as they are now: an administrator may have renamed them since they signed in."""
    school = state.schools[person.school]
    person = school.person(person.username) or person
    return {
        "app": False,
        "adminLoggedInAsUser": False,
        "superLoggedInAsUser": False,
        "superUser": False,
        "samlRedirect": False,
        "hasProtectedIdentityViewAccess": False,
        "theme": "light",
        "printLogoUrl": f"/{school.slug}/jsp/logoFile.jsp?logoname=print_logo.png",
        "organization": {"id": school.org_id, "name": school.name, "school": True},
        "language": {"langId": 1, "langCode": "sv"},
        "userType": {"id": user_type[0], "name": user_type[1]},
        "user": {
            "id": person.user_id,
            "firstName": person.first_name,
            "lastName": person.last_name,
            "userName": person.username,
            "email": person.email,
        },
    }


def show_child(request: Request, state: State) -> Response:
    web = state.web_session(request.school, request.cookies)
    if web is None:
        return UNAUTHORIZED
    return _header(web, state) if web.person.role == "guardian" else FORBIDDEN


def switch_child(request: Request, state: State) -> Response:
    """`childId` is the child's user id; a wrong `orgId` is accepted and ignored.

    The change applies to this web session only.
    """
    web = state.web_session(request.school, request.cookies)
    if web is None:
        return UNAUTHORIZED
    if web.person.role != "guardian":
        return FORBIDDEN
    child_id = request.query.get("childId", "")
    for person in state.schools[request.school].people.values():
        if person.role == "student" and str(person.user_id) == child_id:
            web.child = person.username
            return _header(web, state)
    return NOT_FOUND


def _header(web: WebSession, state: State) -> Response:
    child = state.data_owner(web)
    return as_json(
        {
            "id": web.person.user_id,
            "name": f"{web.person.first_name} {web.person.last_name}",
            "childInFocus": None
            if child is None
            else {"id": child.user_id, "name": f"{child.first_name} {child.last_name}"},
            "orgId": state.schools[web.person.school].org_id,
            "logoutURL": "jsp/Login.jsp?action=logout",
        }
    )
