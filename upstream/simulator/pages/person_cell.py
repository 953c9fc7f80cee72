"""One person on the class list: blocks with ids that are repeated for everybody."""

from collections.abc import Callable
from zlib import crc32

from upstream.simulator.classbook import Contact

Field = Callable[[Contact], str]
Fields = tuple[Field, ...]


def cell(contact: Contact, fields: Fields) -> str:
    """The blocks of those fields that the person has."""
    blocks = [field(contact) for field in fields]
    groups = "\n  ".join(f'<div class="control-group">{block}</div>' for block in blocks if block)
    return f'<div class="display"><div class="display-info">\n  {groups}</div></div>'


def _name(contact: Contact) -> str:
    return f'<div id="name" class="heading_bold">{contact.name}</div>'


def _mail(contact: Contact) -> str:
    """The scheme in either case, a subject behind it, or no id around it."""
    if not contact.email:
        return ""
    turn = crc32(contact.email.encode()) % 3
    scheme = ("mailto:", "MAILTO:", "mailto:")[turn]
    subject = ("", "", "?subject=Hej%20du&body=")[turn]
    mark = 'id="email" ' if turn else ""
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
