"""Who the cookies belong to."""

from upstream.simulator.http_exchange import Request, Response, as_json
from upstream.simulator.people import Person
from upstream.simulator.state import State
from upstream.simulator.web_sessions import USER_TYPES

UNAUTHORIZED = as_json({"error": "Unauthorized"}, 401)
FORBIDDEN = as_json({"error": "Forbidden"}, 403)


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
