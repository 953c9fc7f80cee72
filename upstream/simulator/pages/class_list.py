"""The class list, in the layouts that schools have."""

from upstream.simulator.answers.access import jsp_page
from upstream.simulator.classbook import STAFF, Contact, pupils_of
from upstream.simulator.classes import SchoolClass, class_of, classes_shown_to
from upstream.simulator.http_exchange import Request, Response, redirect
from upstream.simulator.pages import frame
from upstream.simulator.pages.person_cell import BARE, A, B, C, Fields, cell
from upstream.simulator.people import Person
from upstream.simulator.state import State

_FIELDS: dict[str, Fields] = {
    "A": A,
    "B": B,
    "C": C,
    "D": A,
    "single-column": A,
    "no-contact": BARE,
}


@jsp_page
def show(request: Request, state: State, person: Person) -> Response:
    """Names and numbers of variants as in the README; `requestid` is a class, in D alone."""
    wish = state.settings.class_page
    if wish == "hidden-redirect":
        return redirect("right_student_startpage.jsp")
    if wish == "unknown":
        body = '<main class="klass"><section><h1>Klass</h1><p>Elsa Nordvall</p></section></main>'
        return frame.render("Klasslista", body, state)
    own = class_of(person, state)
    if wish == "hidden":
        return frame.render("Klasslista", _box(own.name, ""), state)
    if wish == "D":
        return _with_chooser(request, state, person)
    return frame.render("Klasslista", _box(own.name, _groups(own, wish, state)), state)


def _with_chooser(request: Request, state: State, person: Person) -> Response:
    """Without a class only the chooser; with one of those that it offers, its pupils too."""
    offered = classes_shown_to(person, state)
    chooser = "".join(
        f'<li><a href="right_student_class.jsp?menu=1&requestid={one.number}">{one.name}</a></li>'
        for one in offered
    )
    asked = [one for one in offered if str(one.number) == request.query.get("requestid")]
    content = (
        '<div class="btn-group"><a class="btn dropdown-toggle" data-toggle="dropdown" href="#">'
        f'V&auml;lj klass <span class="caret"></span></a><ul class="dropdown-menu">{chooser}</ul>'
        f"</div>\n{_groups(asked[0], 'D', state) if asked else ''}"
    )
    title = asked[0].name if asked else ""
    return frame.render("Klasslista", _box(title, content), state)


def _box(class_name: str, content: str) -> str:
    return frame.box("contAll", f"Klass {class_name}".strip(), content)


def _groups(school_class: SchoolClass, wish: str, state: State) -> str:
    """The pupils; in C under a heading, and the staff after them under another."""
    pupils = pupils_of(school_class, state.schools[school_class.slug])
    fields = _FIELDS[wish]
    if wish == "single-column":
        return _table([f"<td>{_half('left', pupil, fields)}</td>" for pupil in pupils])
    groups = _pairs(pupils, fields)
    if wish == "A":
        groups = f'<div class="h3_bold">Elever</div>{groups}'
    if wish == "C":
        staff = [_of_school(one, school_class.slug) for one in STAFF["Lärare"]]
        groups = (
            f'<div class="h3_bold">Elever</div>\n{groups}\n'
            f'<div class="h3_bold">Personal</div>\n{_pairs(staff, fields)}'
        )
    return groups


def _pairs(people: list[Contact], fields: Fields) -> str:
    """Two a row; the last row may have one. Before them a heading and a cell without a name."""
    rows = ["<td>Namn</td>", f"<td>{_empty_half()}</td>"]
    for index in range(0, len(people), 2):
        halves = [
            _half(side, contact, fields)
            for side, contact in zip(("left", "right"), people[index : index + 2], strict=False)
        ]
        rows.append("<td>\n {}\n</td>".format("\n ".join(halves)))
    return _table(rows)


def _table(rows: list[str]) -> str:
    return '<table class="table table-striped">{}</table>'.format(
        "\n".join(f"<tr>{row}</tr>" for row in rows)
    )


def _half(side: str, contact: Contact, fields: Fields) -> str:
    return f'<div class="span6{side}">{cell(contact, fields)}</div>'


def _empty_half() -> str:
    return (
        '<div class="span6left"><div class="display"><div class="display-info"></div></div></div>'
    )


def _of_school(contact: Contact, slug: str) -> Contact:
    return Contact(
        contact.first,
        contact.last,
        contact.email.format(slug=slug),
        contact.phone,
        "",
        contact.roles,
    )
