"""What an act on the page of a case is called in full, and the question before one that somebody
will feel."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import Words
from social.models import Case
from social.services.cases.actions import PERSON_ACTIONS, WARN
from social.services.cases.read import CaseDetails
from social.services.cases.suspensions import SUSPEND

# What follows, besides what the button says.
CONSEQUENCES: dict[str, Words] = {
    WARN: _("The person gets a notification with your words, and reads them in their profile."),
    SUSPEND: _("The person is signed out everywhere, and nobody can find them."),
}


@dataclass(frozen=True, slots=True)
class Question:
    """Asked once before an act. `fields` are what was entered, as name and value; `words` are what
    the person will read; `closes` the case too."""

    name: str
    button: Words
    consequence: Words
    words: str
    fields: Sequence[tuple[str, str]]
    closes: bool


def question(details: CaseDetails, name: str, form: Any, *, closes: bool) -> Question | None:
    """The question before this act; None where nobody will feel it. `form` is valid."""
    explanations = {action.name: action.explanation for action in details.target_actions}
    consequence = {**explanations, **CONSEQUENCES}.get(name)
    if consequence is None or (name in PERSON_ACTIONS and form is None):
        return None
    entered = [(bound.html_name, str(bound.value() or "")) for bound in form] if form else []
    return Question(
        name,
        button(details, name, form, closes=closes),
        consequence,
        form.what.words if form else "",
        [(html_name, value) for html_name, value in entered if value],
        closes,
    )


def button(details: CaseDetails, name: str, form: Any, *, closes: bool) -> Words:
    """What an act does, said in full."""
    said = _act(details, name, form)
    return _("%(action)s, and close the case") % {"action": said} if closes else said


def _act(details: CaseDetails, name: str, form: Any) -> Words:
    who = {"name": _name(details.case)}
    if name == WARN:
        return _("Warn %(name)s") % who
    if name == SUSPEND:
        last_day = form.cleaned_data["last_day"]
        if last_day is None:
            return _("Suspend %(name)s without end") % who
        until = {"day": date_format(last_day, "DATE_FORMAT")}
        return _("Suspend %(name)s up to and including %(day)s") % {**who, **until}
    return next(action.label for action in details.target_actions if action.name == name)


def _name(case: Case) -> str:
    if case.person is None:
        return str(case.person_name)
    return f"{case.person.profile.display_name} ({case.person.username})"
