"""The session document, and a guardian's child in focus."""

from upstream.simulator.classes import class_of
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
        return as_json(_document(web.person, web.user_type, state, web.org_id))
    if state.settings.bearer_session:
        person = state.tokens.person_of(request.school, request.bearer)
        if person is not None:
            return as_json(_document(person, USER_TYPES["observed"][person.role], state))
    return UNAUTHORIZED


def _document(
    person: Person, user_type: tuple[int, str], state: State, org_id: int | None = None
) -> dict[str, object]:
    """The person as they are now: an administrator may have renamed them since they signed in.

    `org_id` is the school of a guardian's child, if that is not the first one.
    """
    school = state.schools[person.school]
    person = school.person(person.username) or person
    if person.role == "student":
        org_id = org_id or state.org_ids(person)[0]
    return {
        "app": False,
        "adminLoggedInAsUser": False,
        "superLoggedInAsUser": False,
        "superUser": False,
        "samlRedirect": False,
        "hasProtectedIdentityViewAccess": False,
        "theme": "light",
        "printLogoUrl": f"/{school.slug}/jsp/logoFile.jsp?logoname=print_logo.png",
        "organization": {"id": org_id or school.org_id, "name": school.name, "school": True},
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
    """Puts a child (`childId`, at the school `orgId`) in focus in this web session only. The answer
    is empty and says nothing: a wrong `orgId` is accepted and ignored, and so may be an unknown
    child."""
    web = state.web_session(request.school, request.cookies)
    if web is None:
        return UNAUTHORIZED
    if web.person.role != "guardian":
        return FORBIDDEN
    query = request.query
    focused = state.focus_session(web, query.get("childId", ""), query.get("orgId", ""))
    return Response() if focused or state.settings.unknown_child != "404" else NOT_FOUND


def _header(web: WebSession, state: State) -> Response:
    """Who is signed in, their children with the schools of each, and the child in focus."""
    child = None if web.child is None else state.schools[web.person.school].person(web.child)
    org_id = None if child is None else web.org_id or state.org_ids(child)[0]
    return as_json(
        {
            "firstName": web.person.first_name,
            "lastName": web.person.last_name,
            "children": [_child(child, state) for child in state.children_of(web.person)],
            "currentChildId": child and child.user_id,
            "currentOrgId": org_id,
            "logoutURL": "jsp/Login.jsp?action=logout",
        }
    )


def _child(child: Person, state: State) -> dict[str, object]:
    school = state.schools[child.school]
    return {
        "id": child.user_id,
        "firstName": child.first_name,
        "lastName": child.last_name,
        "schools": [
            {
                "orgId": org_id,
                "name": school.name if org_id == school.org_id else f"{school.name} {org_id}",
                "className": class_of(child, state).name,
            }
            for org_id in state.org_ids(child)
        ],
    }
