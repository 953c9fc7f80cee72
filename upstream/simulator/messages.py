"""The school's own messages: a page with 20 of them in full."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from upstream.simulator import dates, files, page_frame
from upstream.simulator.access import jsp_page
from upstream.simulator.contacts import STAFF
from upstream.simulator.http_exchange import Request, Response, as_html
from upstream.simulator.people import Person
from upstream.simulator.state import State

PAGE = 20
_SUBJECTS = ("Sv: Utflykt till Ek&auml;ngen", "", "Glasögon & vantar", "Matsäck p&aring; fredag")
_SENDERS = ("Torbj&ouml;rn Ekvik", "SchoolSoft", "Åsa Lindroos", "Sixten Sjölin")
_OTHERS = ("Ömer Sjölin", "Sixten Sjölin", "Åsa Lindroos")


@dataclass(frozen=True, slots=True)
class Message:
    id: int
    number: int
    sent: datetime


def messages_of(person: Person, state: State) -> list[Message]:
    """The newest first. Each person has their own; the number of one never changes."""
    now = datetime.combine(state.clock.today(), datetime.min.time()).replace(hour=10, minute=54)
    count, days = state.settings.messages, state.settings.message_days
    return [
        Message(
            person.user_id * 100 + number, number, now - timedelta(days=days * (count - number))
        )
        for number in range(count, 0, -1)
        if number not in state.gone_messages
    ]


@jsp_page
def message_page(request: Request, state: State, person: Person) -> Response:
    """`action=view` marks a message as read: a GET that writes."""
    if request.query.get("action") == "view":
        return as_html("<div>ok</div>")
    offset = request.query.get("offset", "0")
    start = int(offset) if offset.isdecimal() else 0
    everything = messages_of(person, state)
    shown = everything[start : start + PAGE]
    content = "\n".join(_group(message, person, state) for message in shown)
    if shown:
        content = f'<div class="accordion" id="accordion">\n{content}\n</div>'
    body = page_frame.box("message_con", "Inkorgen", content) + _form()
    header = f"Visar {start + 1}-{start + len(shown)} av {len(everything)}"
    return page_frame.render(
        "Meddelanden",
        f'{body}</div><div id="content"><div class="pagination-header">{header}</div>',
        state,
    )


def _group(message: Message, person: Person, state: State) -> str:
    n, number = message.id, message.number
    sender, subject = _SENDERS[number % 4], _SUBJECTS[number % 4]
    picture = ("mail.gif", "mail_open.gif")[number % 2]
    status = f'<img id="statuspic{n}" src="../../grafics/{picture}">' if number % 5 else ""
    year = "" if message.sent.year == state.clock.today().year else f" {message.sent.year}"
    day = f"{dates.in_lists(message.sent)}{year}"
    own = f"{person.first_name} {person.last_name}"
    recipients = ", ".join((own, *_OTHERS)) if number % 3 else own
    text = (
        f"Hej {number},<br>ta med mats&auml;ck &#128515;<br><br>"
        '<a href="https://bjorkdalen.example/karta">Karta</a><br>'
        "&gt; 2026-05-18T13:15:13.000+00:00"
    )
    return f"""<div class="accordion-group" id="accordion-group{n}">
 <div class="accordion-heading"><a class="accordion-toggle" href="#collapse{n}">
  <div class="accordion-heading-left">{status}<span id="messheader{n}">{subject}</span>\
<div class="preview-block">Hej {number}, ta med mats...</div></div>
  <div class="accordion-heading-from">{sender}</div>\
<div class="accordion-heading-date">{day}</div></a></div>
 <div id="collapse{n}" class="accordion-body collapse"><div class="accordion-inner">
  <div class="accordion_inner_left"><p class="acc-item-main"><span id="mess{n}">{text}</span></p>\
</div>
  <div class="accordion_inner_right"><form name="viewmessage" method="post">\
<input type="hidden" name="action" value="reply"></form>
   <label>Från</label><span id="messfrom{n}">{sender}</span>\
<label>Till</label><span id="messto{n}">{recipients}</span>\
<label>Skickat</label><span id="messdate{n}">{dates.without_year(message.sent)}</span>
   {files.links("message", n, 3)}</div></div></div></div>"""


def _form() -> str:
    """For writing a message: a write. Its list says who works at the school."""
    staff = {(contact.last, contact.first) for contacts in STAFF.values() for contact in contacts}
    options = "".join(
        f'<option value="{9100 + place}0">{last} {first}</option>'
        for place, (last, first) in enumerate(sorted(staff))
    )
    return (
        '<form name="message" method="post"><select name="users" multiple>'
        f'<option value="-222">----</option>{options}</select>'
        '<input name="subject" maxlength="100"><textarea name="message"></textarea></form>'
    )
