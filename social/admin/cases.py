"""The cases on the staff site: staff give a reason once, see the evidence, and act."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts.contribution_types import Words
from accounts.errors import NotFound
from accounts.registry import report_kinds
from social.admin.case_forms import FORMS, ReasonForm, forms_for
from social.admin.case_questions import question
from social.errors import CaseChanged, NothingToDo, PersonReportedIt, StateConflict
from social.models import Case, CaseAction
from social.services.cases import actions, suspensions
from social.services.cases.queue import QUEUE, listed_cases
from social.services.cases.read import CaseDetails, case_details
from social.templatetags.cases import reasons as reasons_of
from staff.services.members import staff_schools
from staff.site import ReadOnlyAdmin

# In the staff session: the ids of opened cases, and why they were opened.
OPENED = "opened_cases"
MAX_OPENED = 50
CASE_PAGE = "admin:social_case_change"
PROBLEMS: list[tuple[type[Exception], Words]] = [
    (
        CaseChanged,
        _("Somebody else has just acted in this case. Look at it again before you go on."),
    ),
    (NothingToDo, _("Nothing was changed: it is like that already.")),
    (
        PersonReportedIt,
        _("This person is one of those who reported it. Tick the box if you are sure."),
    ),
    (StateConflict, _("This case is closed.")),
    (NotFound, _("This is not possible any more: what it was about is gone.")),
]
DONE_SENTENCES: dict[str, Words] = {
    "choose": _("The case is about this person now."),
    "take": _("You have taken the case. Colleagues see that."),
    "leave": _("You have given the case back."),
    "undo": _("It was undone."),
    "close": _("The case is closed."),
}


class KindFilter(admin.AllValuesFieldListFilter):
    """The kinds by their labels."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        labels = {kind.name: kind.label for kind in report_kinds()}
        for choice in super().choices(changelist):
            yield {**choice, "display": labels.get(str(choice["display"]), choice["display"])}


class OpenedFilter(admin.EmptyFieldListFilter):
    """Whether staff have opened it, in words."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        words = (_("All"), _("nobody has opened it"), _("opened"))
        for choice, display in zip(super().choices(changelist), words, strict=True):
            yield {**choice, "display": display}


@admin.register(Case)
class CaseAdmin(ReadOnlyAdmin):
    """A case shows its evidence only to staff who have given a reason."""

    # The list shows nothing that anybody wrote; each case asks for a reason of its own.
    list_needs_reason = False
    list_display = (
        "created_at",
        "is_opened",
        "kind_name",
        "reasons",
        "report_count",
        "school",
        "status",
        "taken_by",
        "closed_at",
    )
    list_filter = ("status", ("opened_at", OpenedFilter), ("target_type", KindFilter), "school")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        return listed_cases(staff_schools(request.user))

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return QUEUE

    @admin.display(description=_("opened"), boolean=True, ordering="opened_at")
    def is_opened(self, case: Case) -> bool:
        return case.opened_at is not None

    @admin.display(description=_("about"), ordering="target_type")
    def kind_name(self, case: Case) -> Words:
        return case.kind

    @admin.display(description=_("reasons"))
    def reasons(self, case: Any) -> str:
        return reasons_of(case)

    @admin.display(description=_("reports"), ordering="report_count")
    def report_count(self, case: Any) -> int:
        return int(case.report_count)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        if not request.user.has_perm("social.change_case"):
            raise PermissionDenied
        case = self.get_object(request, object_id)
        if case is None:
            raise Http404
        if case.pk.hex not in request.session.get(OPENED, {}):
            return self._before_opening(request, case)
        details = case_details(case, staff_schools(request.user))
        if request.method == "POST":
            return self._act(request, details)
        self._log(request, "look", case, case)
        return self._page(request, case, details=details, forms=forms_for(details))

    def _before_opening(self, request: HttpRequest, case: Case) -> HttpResponse:
        """The page that asks for a reason."""
        form = ReasonForm(request.POST if "open" in request.POST else None)
        if not form.is_valid():
            if request.method == "POST" and not form.is_bound:
                raise PermissionDenied  # an act in a case that was not opened
            return self._page(request, case, form=form)
        opened = {**request.session.get(OPENED, {}), case.pk.hex: form.cleaned_data["reason"]}
        request.session[OPENED] = dict(list(opened.items())[-MAX_OPENED:])
        with transaction.atomic():  # nothing is shown without its audit entry
            actions.mark_opened(case.pk)
            self._log(request, "open", case, case)
        return redirect(CASE_PAGE, case.pk)

    def _act(self, request: HttpRequest, details: CaseDetails) -> HttpResponse:
        close = "do_and_close" in request.POST
        name = request.POST.get("do_and_close") or request.POST.get("do", "")
        forms = forms_for(details, sent=name, data=request.POST)
        if name in forms and not forms[name].is_valid():
            return self._page(request, details.case, details=details, forms=forms)
        unanswered = question(details, name, forms.get(name), closes=close)
        if unanswered and "sure" not in request.POST:
            version = _number(request, "version")  # that of the page that they saw
            return self._page(request, details.case, question=unanswered, version=version)
        act = actions.StaffAct(
            details.case.pk, request.user.get_username(), _number(request, "version")
        )
        try:
            if not details.case.is_open and name != "undo":
                raise StateConflict
            with transaction.atomic():  # no act without its audit entry
                about: Case | CaseAction
                if name == "undo":
                    about = actions.undo_action(act, action_id=_number(request, "action_id"))
                    case = about.case
                    self._log(request, f"undo {about.name}", case, about)
                else:
                    about = case = _run(act, name, forms.get(name), close)
                    self._log(request, name, case, case)
                if close:
                    self._log(request, "close", case, case)
        except (StateConflict, NotFound) as error:
            sentence = next(words for kind, words in PROBLEMS if isinstance(error, kind))
            messages.warning(request, str(sentence))
            return redirect(CASE_PAGE, details.case.pk)
        done = _done_sentence(details, name, closed=not case.is_open)
        return self._after(request, case, done, _remark(details, name, about, forms.get(name)))

    def _after(self, request: HttpRequest, case: Case, done: str, remark: Words) -> HttpResponse:
        messages.success(request, done)
        if remark:
            messages.warning(request, str(remark))
        if case.is_open:
            return redirect(CASE_PAGE, case.pk)
        return redirect("admin:social_case_changelist")

    def _log(self, request: HttpRequest, action: str, case: Case, about: Case | CaseAction) -> None:
        """With the person, whose account may be erased, and the reason that the case was opened
        for."""
        self.audit(
            request,
            action,
            f"case {case.pk.hex}",
            request.session[OPENED][case.pk.hex],
            account_id=about.person_id,
            account_name=str(about.person_name),
            case_id=case.pk.hex,
        )

    def _page(self, request: HttpRequest, case: Case, **context: Any) -> HttpResponse:
        template = "admin/social/case/page.html"
        return self.own_page(request, template, title=_("Case"), case=case, **context)


def _run(act: actions.StaffAct, name: str, form: Any, close: bool) -> Case:
    """Do what a form or a button asks for. Raises: as the services."""
    if form is None and name in FORMS:  # it is not offered any more
        raise NotFound
    match name:
        case "choose":
            chosen = form.cleaned_data
            return actions.choose_person(
                act, person_hash=chosen["person"], confirmed=chosen["confirmed"]
            )
        case actions.WARN | suspensions.SUSPEND:
            return actions.act_on_person(act, action=name, what=form.what, close=close)
        case "take":
            return actions.take_case(act)
        case "leave":
            return actions.leave_case(act)
        case "close":
            return actions.close_case(act, note=form.cleaned_data["note"])
    return actions.act_on_target(act, action=name, close=close)


def _done_sentence(details: CaseDetails, name: str, *, closed: bool) -> str:
    labels = {action.name: action.label for action in details.target_actions}
    label = {**labels, **actions.PERSON_ACTIONS}.get(name)
    if label is None:
        return str(DONE_SENTENCES[name])
    if closed:
        return _("%(action)s: done. The case is closed.") % {"action": label}
    return _("%(action)s: done.") % {"action": label}


def _remark(details: CaseDetails, name: str, about: Case | CaseAction, form: Any) -> Words:
    """What staff should know besides: what the act has left as it is. Empty: nothing."""
    if isinstance(about, CaseAction):
        if about.name == suspensions.SUSPEND and suspensions.suspension_of(about):
            return _("The account stays suspended, because of another decision.")
    elif name == suspensions.SUSPEND and suspensions.is_suspended_longer(about, form.what.until):
        return _("The person is suspended for longer already. That suspension stays as it is.")
    elif name == "choose":
        chosen = {choice.person_hash: choice.person.school for choice in details.choices}
        if chosen.get(about.person_hash) != about.school:
            return _(
                "The person is of another school. The case stays with the moderators of the school "
                "that had it."
            )
    return ""


def _number(request: HttpRequest, name: str) -> int:
    """A hidden field; -1, which nothing has, for anything else than a number."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else -1
