"""The forms on the page of a case."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils.timezone import localdate, make_aware
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import Words
from social.services.cases.actions import WARN
from social.services.cases.read import CaseDetails
from social.services.cases.suspensions import SUSPEND, PersonAct

LONGEST_SUSPENSION = timedelta(days=10 * 365)
UNTIL_A_DAY, WITHOUT_END = "day", "always"
# The names of the forms of an opened case.
FORMS = ("choose", WARN, SUSPEND, "close")
# What a suspended person is told, unless the moderator writes something else.
SUSPENSION_REASONS: dict[str, Words] = {
    "bullying": _("You have bullied somebody."),
    "threat": _("You have threatened somebody."),
    "sexual": _("You have sent or shown something sexual."),
    "spam": _("You have sent unwanted messages or advertisements."),
    "other": _("You have broken the rules of the service."),
}


class ReasonForm(forms.Form):
    """Why staff open a case. The reason counts for everything that they do in it."""

    reason = forms.CharField(
        label=_("Reason"),
        min_length=5,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("For the audit log. Name no people."),
    )


class WarnForm(forms.Form):
    words = forms.CharField(
        label=_("What you say to the person"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("They read exactly this, and do not learn who reported them."),
    )
    confirmed = forms.BooleanField(label=_("This person reported it too. Do it anyway."))

    def __init__(self, data: Any = None, *, ask_twice: bool, **options: Any) -> None:
        super().__init__(data, **options)
        if not ask_twice:
            del self.fields["confirmed"]

    @property
    def what(self) -> PersonAct:
        cleaned = self.cleaned_data
        last_day = cleaned.get("last_day")
        # The midnight that ends it.
        until = last_day and make_aware(datetime.combine(last_day + timedelta(days=1), time()))
        return PersonAct(
            words=cleaned["words"], until=until, confirmed=cleaned.get("confirmed", False)
        )


class SuspendForm(WarnForm):
    """`length` is chosen each time: nobody is suspended without end because a field was empty."""

    length = forms.ChoiceField(
        label=_("How long?"),
        choices=[(UNTIL_A_DAY, _("Until a day")), (WITHOUT_END, _("Without end"))],
        widget=forms.RadioSelect,
    )
    last_day = forms.DateField(
        label=_("Last day of the suspension"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d"],
    )
    field_order = ("length", "last_day", "words", "confirmed")

    def clean_last_day(self) -> date | None:
        day: date | None = self.cleaned_data["last_day"]
        if self.cleaned_data.get("length") == WITHOUT_END:
            if day is not None:
                raise forms.ValidationError(_("Leave this empty for a suspension without end."))
            return None
        today = localdate()
        if day is None or not today <= day <= today + LONGEST_SUSPENSION:
            raise forms.ValidationError(_("Choose a day from today on, within ten years."))
        return day


class ChooseForm(forms.Form):
    """Which member a report of a group is about."""

    person = forms.ChoiceField(label=_("Whom is it about?"))
    confirmed = forms.BooleanField(
        label=_("I know if the person I choose is one of those who reported it."), required=False
    )

    def __init__(self, data: Any = None, *, details: CaseDetails, **options: Any) -> None:
        super().__init__(data, **options)
        self.fields["person"].choices = [  # type: ignore[attr-defined]
            ("", _("Choose a member")),
            *((choice.person_hash, _choice_label(choice)) for choice in details.choices),
        ]


def _choice_label(choice: Any) -> str:
    names = {"name": choice.person.display_name, "username": choice.person.username}
    if choice.is_reporter:
        return _("%(name)s (%(username)s), who reported it") % names
    if choice.suggested:
        return _("%(name)s (%(username)s), named by a reporter") % names
    return _("%(name)s (%(username)s)") % names


class CloseForm(forms.Form):
    note = forms.CharField(
        label=_("Note for colleagues"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Optional. The people concerned do not see it."),
    )


def forms_for(details: CaseDetails, *, sent: str = "", data: Any = None) -> dict[str, forms.Form]:
    """The forms of an opened case by name; `sent` is the one that was filled in with `data`."""

    def filled(name: str) -> Any:
        return data if name == sent else None

    ask_twice = details.person_is_reporter
    reasons = [row.report.reason for row in details.reports]
    usual = SUSPENSION_REASONS.get(reasons[0]) if reasons else None
    offered: dict[str, forms.Form] = {}
    if details.choices:
        offered["choose"] = ChooseForm(filled("choose"), details=details, prefix="choose")
    if details.may_warn:
        offered[WARN] = WarnForm(filled(WARN), ask_twice=ask_twice, prefix=WARN)
    if details.may_suspend:
        offered[SUSPEND] = SuspendForm(
            filled(SUSPEND), ask_twice=ask_twice, initial={"words": usual}, prefix=SUSPEND
        )
    if details.case.is_open:
        offered["close"] = CloseForm(filled("close"), prefix="close")
    return offered
