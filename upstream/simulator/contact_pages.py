"""The class list in its various layouts, and the staff page."""

from collections.abc import Callable
from zlib import crc32

from upstream.simulator import page_frame
from upstream.simulator.access import jsp_page
from upstream.simulator.classes import SchoolClass, class_of, classes_shown_to
from upstream.simulator.contacts import STAFF, Contact, pupils_of
from upstream.simulator.http_exchange import Request, Response, redirect
from upstream.simulator.people import Person
from upstream.simulator.state import State

Field = Callable[[Contact], str]
Fields = tuple[Field, ...]


def _cell(contact: Contact, fields: Fields) -> str:
    """One person: a block for each field that is known. The ids are the same for everybody."""
    blocks = [field(contact) for field in fields]
    groups = "\n  ".join(f'<div class="control-group">{block}</div>' for block in blocks if block)
    return f'<div class="display"><div class="display-info">\n  {groups}</div></div>'


def _name(contact: Contact) -> str:
    return f'<div id="name" class="heading_bold">{contact.name}</div>'


def _mail(contact: Contact) -> str:
    """The scheme in upper or lower case, with or without a subject, with or without an id."""
    if not contact.email:
        return ""
    variant = crc32(contact.email.encode()) % 3
    scheme = ("mailto:", "MAILTO:", "mailto:")[variant]
    subject = ("", "", "?subject=Hej%20du&body=")[variant]
    mark = 'id="email" ' if variant else ""
    link = f'<a href="{scheme}{contact.email}{subject}">{contact.email}</a>'
    return f'<div {mark}class="value-parent">{link}</div>'


def _phone(contact: Contact) -> str:
    if not contact.phone:
        return ""
    return f'<div id="phone" class="value-parent" type="tel">{contact.phone} (b)</div>'


def _address(contact: Contact) -> str:
    if not contact.address:
        return ""
    lines = contact.address.replace("\n", "<br/>").replace("\u00a0", "&nbsp;")
    return f'<div id="address" class="value-parent">{lines}</div>'


def _role(contact: Contact) -> str:
    role = ", ".join(contact.roles) or "Elev"
    return f'<label class="label">Roll</label><div id="role" class="value">{role}</div>'


def _kind(_contact: Contact) -> str:
    return '<div id="type" class="value">&nbsp;</div>'


def _about(_contact: Contact) -> str:
    return '<label class="label">Kontaktinfo</label><div id="contact" class="value"></div>'


A: Fields = (_name, _mail, _address)
B: Fields = (_name, _phone, _address)
C: Fields = (_name, _role, _kind, _phone, _mail, _about)
BARE: Fields = (_name,)


_FIELDS: dict[str, Fields] = {
    "A": A,
    "B": B,
    "C": C,
    "D": A,
    "single-column": A,
    "no-contact": BARE,
}


@jsp_page
def class_page(request: Request, state: State, person: Person) -> Response:
    """The layouts are the values of the setting `class_page`; only D has `requestid`, a class."""
    layout = state.settings.class_page
    if layout == "hidden-redirect":
        return redirect("right_student_startpage.jsp")
    if layout == "unknown":
        body = '<main class="klass"><section><h1>Klass</h1><p>Elsa Nordvall</p></section></main>'
        return page_frame.render("Klasslista", body, state)
    own = class_of(person, state)
    if layout == "hidden":
        return page_frame.render("Klasslista", _box(own.name, ""), state)
    if layout == "D":
        return _with_chooser(request, state, person)
    return page_frame.render("Klasslista", _box(own.name, _groups(own, layout, state)), state)


def _with_chooser(request: Request, state: State, person: Person) -> Response:
    """The list of classes to choose from, and the pupils of the chosen one."""
    offered = classes_shown_to(person, state)
    chooser = "".join(
        f'<li><a href="right_student_class.jsp?menu=1&requestid={link.number}">{link.name}</a></li>'
        for link in offered
    )
    chosen = [link for link in offered if str(link.number) == request.query.get("requestid")]
    content = (
        '<div class="btn-group"><a class="btn dropdown-toggle" data-toggle="dropdown" href="#">'
        f'V&auml;lj klass <span class="caret"></span></a><ul class="dropdown-menu">{chooser}</ul>'
        f"</div>\n{_groups(chosen[0], 'D', state) if chosen else ''}"
    )
    title = chosen[0].name if chosen else ""
    return page_frame.render("Klasslista", _box(title, content), state)


def _box(class_name: str, content: str) -> str:
    return page_frame.box("contAll", f"Klass {class_name}".strip(), content)


def _groups(school_class: SchoolClass, layout: str, state: State) -> str:
    """The pupils, with a heading in A and C; in C the staff follows."""
    pupils = pupils_of(school_class, state.schools[school_class.slug])
    fields = _FIELDS[layout]
    if layout == "single-column":
        return _table([f"<td>{_half('left', pupil, fields)}</td>" for pupil in pupils])
    groups = _pairs(pupils, fields)
    if layout == "A":
        groups = f'<div class="h3_bold">Elever</div>{groups}'
    if layout == "C":
        staff = [_of_school(teacher, school_class.slug) for teacher in STAFF["Lärare"]]
        groups = (
            f'<div class="h3_bold">Elever</div>\n{groups}\n'
            f'<div class="h3_bold">Personal</div>\n{_pairs(staff, fields)}'
        )
    return groups


def _pairs(people: list[Contact], fields: Fields) -> str:
    """Two people a row, the last row may have one; before them a heading and an empty cell."""
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
    return f'<div class="span6{side}">{_cell(contact, fields)}</div>'


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


_STAFF_HEAD = (
    '<tr class="longlistheader"><td>Namn</td><td>Roller</td><td>Telefon arbete</td>'
    "<td>E-post</td><td>Kontaktinfo</td></tr>"
)


@jsp_page
def staff_page(_request: Request, state: State, person: Person) -> Response:
    sections = "\n".join(
        f'<div class="h3_bold">{title.replace("ä", "&auml;")}</div>'
        f'<table class="table table-striped">{_STAFF_HEAD}'
        f"{''.join(_staff_row(contact, person.school) for contact in contacts)}</table>"
        for title, contacts in STAFF.items()
    )
    return page_frame.render("Personal", page_frame.box("contAll", "Personal", sections), state)


def _staff_row(contact: Contact, slug: str) -> str:
    roles = "".join(f"{role}<br/>" for role in contact.roles)
    mail = contact.email.format(slug=slug)
    # Plain text for people with a telephone, a link for the others.
    shown = mail if contact.phone else f'<a href="mailto:{mail}">{mail}</a>'
    return (
        f'<tr><td><span class="name_bold">{contact.last}</span>&nbsp;{contact.first}</td>'
        f'<td>{roles}</td><td><a href="tel:{contact.phone}">{contact.phone}</a></td>'
        f'<td>{shown if mail else ""}</td><td><img src="/img/info.png"></td></tr>'
    )
