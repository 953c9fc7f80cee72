"""A guardian's child in focus: which one it is, and another one instead."""

from upstream.simulator.answers.session import FORBIDDEN, UNAUTHORIZED
from upstream.simulator.http_exchange import NOT_FOUND, Request, Response, as_json
from upstream.simulator.state import State
from upstream.simulator.web_sessions import WebSession


def show(request: Request, state: State) -> Response:
    web = state.web_session(request.school, request.cookies)
    if web is None:
        return UNAUTHORIZED
    return _header(web, state) if web.person.role == "guardian" else FORBIDDEN


def switch(request: Request, state: State) -> Response:
    """`childId` is the child's user id; a wrong `orgId` is accepted and ignored.

    Only this web session looks at the other child from now on.
    """
    web = state.web_session(request.school, request.cookies)
    if web is None:
        return UNAUTHORIZED
    if web.person.role != "guardian":
        return FORBIDDEN
    wanted = request.query.get("childId", "")
    for person in state.schools[request.school].people.values():
        if person.role == "student" and str(person.user_id) == wanted:
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
