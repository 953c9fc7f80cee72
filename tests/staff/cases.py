"""What moderators do on the page of a case."""

import re
from dataclasses import dataclass
from html import unescape
from typing import Any

from django.test import Client

from accounts.models import Account
from accounts.person_hash import hash_of_person
from social.models import Case

REASON = "A pupil asked for help."
LIST = "/admin/social/case/"


def page_of(case: Case | None = None) -> str:
    """The address of a case; of the only one without an argument."""
    return f"{LIST}{(case or Case.objects.get()).pk}/change/"


@dataclass(frozen=True)
class CasePage:
    """The page of one case, as one moderator sees it."""

    client: Client
    address: str

    def text(self) -> str:
        """Its words, without tags."""
        answer = self.client.get(self.address)
        assert answer.status_code == 200, answer.status_code
        return plain(answer)

    def html(self) -> str:
        return str(self.client.get(self.address).content.decode())

    def buttons(self) -> set[str]:
        """What can be done."""
        return set(re.findall(r'name="do" value="(\w+)"', self.html()))

    def fields(self) -> dict[str, str]:
        """The hidden fields of the forms."""
        return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', self.html()))

    def post(self, **form: str) -> Any:
        """The response to a form of the page as it is now, after its question was answered."""
        return self.client.post(self.address, self.fields() | _chosen(form) | {"sure": "1"})

    def ask(self, **form: str) -> Any:
        """The question before the act of a form, or the response where there is none."""
        return self.client.post(self.address, self.fields() | form)

    def open(self, reason: str = REASON) -> "CasePage":
        assert self.post(open="1", reason=reason).status_code == 302
        return self

    def do(self, name: str, **form: str) -> str:
        """Press a button, and answer its question; the sentence that the moderator reads then."""
        sent = self.fields() | {"do": name, "sure": "1"} | _chosen(form)
        answer = self.client.post(self.address, sent, follow=True)
        assert answer.status_code == 200, answer.status_code
        found = re.search(r'<ul class="messagelist">(.*?)</ul>', answer.content.decode(), re.S)
        return _words(found[1]) if found else ""


def _chosen(form: dict[str, str]) -> dict[str, str]:
    """With how long a suspension is: without end, where no last day was entered."""
    if "suspend-words" not in form:
        return form
    return {"suspend-length": "day" if form.get("suspend-last_day") else "always", **form}


def open_case(client: Client, case: Case | None = None) -> CasePage:
    """The page of a case, of the only one without an argument, after a reason was given."""
    return CasePage(client, page_of(case)).open()


def plain(answer: Any) -> str:
    return _words(answer.content.decode())


def _words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def account(username: str) -> Account:
    return Account.objects.get(username=username)


def key_of(username: str) -> str:
    person = account(username)
    return hash_of_person(person.school, person.upstream_user_id)
