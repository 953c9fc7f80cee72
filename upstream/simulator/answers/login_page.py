"""Login.jsp: the form, signing in with it, and the ways in which it ends a session."""

from upstream.simulator.answers.password import authenticate
from upstream.simulator.answers.translation import set_cookies
from upstream.simulator.http_exchange import Request, Response, as_html, redirect
from upstream.simulator.state import State

_PAGE = """<html><head>
<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1">
<title>SchoolSoft</title></head><body>
<form name="login" method="post" action="Login.jsp">
<input type="hidden" name="action" value="login">
<input type="hidden" name="usertype" value="1">
<input id="ssusername" name="ssusername">
<input id="sspassword" name="sspassword" type="password">
<input type="submit" name="button" value="Logga in"></form>
{alert}</body></html>
"""


def login_page(alert: str = "") -> str:
    return _PAGE.format(alert=f'<div class="alert">{alert}</div>\n' if alert else "")


def show(request: Request, state: State) -> Response:
    """The form. Loading it with cookies ends their session, with `action=logout` or without."""
    state.web_sessions.end(request.cookies.get("JSESSIONID", ""))
    return as_html(login_page())


def sign_in(request: Request, state: State) -> Response:
    """The web login: a redirect with cookies, or the form again with a sentence in it."""
    school, form = state.schools[request.school], request.form()
    person = authenticate(school, form.get("ssusername", ""), form.get("sspassword", ""))
    if person is None or not school.password_login:
        return as_html(login_page("Felaktigt anv&auml;ndarnamn eller l&ouml;senord"))
    session = state.open_web_session(person, "observed")
    start = f"/{school.slug}/jsp/student/right_student_startpage.jsp"
    return redirect(start).with_headers(*set_cookies(session))
