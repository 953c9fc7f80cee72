"""The frame of every page: head, menu, scripts, the warning about inactivity."""

from upstream.simulator.access import jsp_page
from upstream.simulator.http_exchange import Request, Response
from upstream.simulator.people import Person
from upstream.simulator.state import State

_DECLARED = {
    "iso-8859-1": "text/html; charset=ISO-8859-1",
    "utf-8": "text/html;charset=UTF-8",
    "no-charset": "text/html",
}

_MENU = [
    ("startpage", "Startsida"),
    ("news", "Aktuellt"),
    ("calendar", "Kalender"),
    ("schedule", "Schema"),
    ("lunchmenu", "Matsedel"),
    ("message", "Meddelanden"),
    ("subject", "&Auml;mnen"),
    ("test", "Prov & uppgifter"),
    ("test_results", "Resultat"),
    ("absence", "Fr&aring;nvaro"),
    ("class", "Klasslista"),
    ("staff", "Personal"),
    ("school", "Skolinformation"),
    ("library", "L&auml;nkar"),
    ("timebooking", "Tidsbokning"),
]

_STYLE = "\n".join(
    f".display-{n} .control-group:nth-child({n}) > label {{ width: {n * 3}px; color: #3b{n}; }}"
    for n in range(10, 60)
)

_SCRIPT = """
var minutes = 0, limit = 30;
function tick() { minutes++; if (minutes > limit && minutes < 60) { show("inactive", minutes); } }
function show(id, n) { document.getElementById(id).innerHTML = "<b>" + n + "</b> minuter."; }
window.setInterval(tick, 60 * 1000);
"""

_TEMPLATE = """<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" \
"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html><head>
<meta http-equiv="Content-Type" content="text/html; charset={charset}">
<title>{title} - SchoolSoft</title>
<link rel="stylesheet" href="/css/bootstrap.css?v=20260112&theme=light">
<style type="text/css">
{style}
</style>
<script type="text/javascript">{script}</script>
</head><body class="sidebar-right" onLoad="init()">
<div id="parent-header-root"></div>
<div id="top"><img src='../logoFile.jsp?logoname=print_logo.png' alt=""><div id="logout">\
<a target="_top" href="../Login.jsp?action=logout">Logga ut</a></div></div>
<div id="menu" class="nav"><ul class="nav nav-list">
{menu}
</ul></div>
<div id="content" class="container-fluid">
{body}
</div>
<div id="inactiveWarning" style="display: none">
<div class="h2_box"><div class="h2">Varning</div></div>
<p>Du har varit inaktiv i:&nbsp;<span id="inactive">0</span> minuter.</p></div>
</body></html>
"""


def render(title: str, body: str, state: State) -> Response:
    """The whole page, encoded and declared as the setting `charset` says."""
    charset = state.settings.charset
    text = _TEMPLATE.format(
        charset="UTF-8" if charset == "utf-8" else "ISO-8859-1",
        title=title,
        style=_STYLE,
        script=_SCRIPT,
        menu="\n".join(_menu_rows()),
        body=body,
    )
    content = text.encode("utf-8" if charset == "utf-8" else "cp1252", "xmlcharrefreplace")
    declared = _DECLARED.get(charset)
    return Response(200, content, (("Content-Type", declared),) if declared else ())


def box(name: str, title: str, content: str) -> str:
    """A box as on their pages: `{name}` with its heading, `{name}_content` with the content."""
    return f"""<div id="{name}" class="h2_container"><div class="h2_box">\
<div class="icon"></div><div class="h2">{title}</div></div>
<div id="{name}_content" class="h2_inner">
{content}
</div></div>"""


def _menu_rows() -> list[str]:
    rows = []
    for number, (page, label) in enumerate(_MENU):
        href = f"right_student_{page}.jsp?requestid=-1&menu={number}&action=show"
        rows.append(
            f'<li class="menu-item" id="menu"><a class=\'menu\' href="{href}">'
            f'<i class="icon-{page}"></i>&nbsp;{label}</a></li>'
        )
    return rows


@jsp_page
def blocked_page(_request: Request, state: State, _person: Person) -> Response:
    """Where pages redirect to that the sessions of apps may not read."""
    text = "<p>Sidan &auml;r inte tillg&auml;nglig i appen.</p>"
    return render("Sidan kan inte visas", box("blocked", "Logga in", text), state)
