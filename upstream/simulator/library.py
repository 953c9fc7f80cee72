"""The page of files and links."""

from upstream.simulator import files, page_frame
from upstream.simulator.access import jsp_page
from upstream.simulator.http_exchange import Request, Response
from upstream.simulator.people import Person
from upstream.simulator.state import State


def file_id(person: Person, state: State) -> int:
    """The number of the school's only file."""
    return state.schools[person.school].org_id * 10_000 + 5_501


@jsp_page
def library_page(_request: Request, state: State, person: Person) -> Response:
    number = file_id(person, state)
    rows = (
        '<div class="h3_bold">Blanketter</div><table class="table table-striped"><tr><td>'
        '<div class="heading_bold">Ledighetsans&ouml;kan</div><div>L&auml;mnas till mentor</div>'
        f'<a href="right_student_library_download.jsp?requestid={number}" '
        'title="Ledighetsansökan 2026.pdf">Ledighe...pdf</a> (60&nbsp;KB)</td></tr><tr><td>'
        '<a href="https://bjorkdalen.example/trygghet" target="_blank">Trygghetsplan</a>'
        "<div>Uppdaterad i augusti</div></td></tr><tr><td>"
        '<a href="javascript:alert(1)">Visa allt</a></td></tr></table>'
        '<div class="h3_bold">Tomt</div>'
    )
    boxes = page_frame.box("lib3", "Skolan", rows) + page_frame.box("lib4", "Klassen", "")
    return page_frame.render("L&auml;nkar", boxes, state)


@jsp_page
def download(request: Request, state: State, person: Person) -> Response:
    number = file_id(person, state)
    if request.query.get("requestid") != str(number):
        return files.refusal(state)
    return files.send("Ledighetsansökan 2026.pdf", number, request, state)
