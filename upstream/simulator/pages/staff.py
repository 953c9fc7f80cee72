"""The staff page: a section a role, the same person in several, a heading row made of cells."""

from upstream.simulator.answers.access import jsp_page
from upstream.simulator.classbook import STAFF, Contact
from upstream.simulator.http_exchange import Request, Response
from upstream.simulator.pages import frame
from upstream.simulator.people import Person
from upstream.simulator.state import State

_HEAD = (
    '<tr class="longlistheader"><td>Namn</td><td>Roller</td><td>Telefon arbete</td>'
    "<td>E-post</td><td>Kontaktinfo</td></tr>"
)


@jsp_page
def show(_request: Request, state: State, person: Person) -> Response:
    sections = "\n".join(
        f'<div class="h3_bold">{title.replace("ä", "&auml;")}</div>'
        f'<table class="table table-striped">{_HEAD}'
        f"{''.join(_row(contact, person.school) for contact in contacts)}</table>"
        for title, contacts in STAFF.items()
    )
    return frame.render("Personal", frame.box("contAll", "Personal", sections), state)


def _row(contact: Contact, slug: str) -> str:
    roles = "".join(f"{role}<br/>" for role in contact.roles)
    mail = contact.email.format(slug=slug)
    # A link, or, for who has a telephone, plain text.
    shown = mail if contact.phone else f'<a href="mailto:{mail}">{mail}</a>'
    return (
        f'<tr><td><span class="name_bold">{contact.last}</span>&nbsp;{contact.first}</td>'
        f'<td>{roles}</td><td><a href="tel:{contact.phone}">{contact.phone}</a></td>'
        f'<td>{shown if mail else ""}</td><td><img src="/img/info.png"></td></tr>'
    )
