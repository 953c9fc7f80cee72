"""The staff site as somebody with a browser uses it: links, forms and buttons by their words."""

import re
from typing import Any

from django.test import Client
from lxml import html

REASON = "Somebody asked for help."


class Site:
    """A signed-in member of staff, and the page in front of them."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._address = "/admin/"
        self._page: Any = None
        self.go("/admin/")

    @property
    def text(self) -> str:
        """The words of the page, and of its fields."""
        return " ".join(self._page.text_content().split())

    def buttons(self) -> list[str]:
        return [_words(button) for button in self._page.xpath("//form//button")]

    def has(self, button: str) -> bool:
        """Whether there is a button with such words."""
        return any(re.search(button, words, re.IGNORECASE) for words in self.buttons())

    def go(self, address: str) -> "Site":
        """Open a page, and give a reason where one is asked for."""
        self._show(self._client.get(address, follow=True), address)
        for form in self._page.forms:
            fields = [name for name in form.fields if name and name.endswith("reason")]
            if fields:
                self._send(
                    form, {fields[0]: REASON}, form.xpath(".//button|.//input[@type='submit']")
                )
        return self

    def cases(self) -> list[str]:
        """The addresses of the cases in the list."""
        self.go("/admin/")
        lists = self._page.xpath("//a[contains(@href, '/admin/social/')]")
        (address,) = {a.get("href") for a in lists if _words(a) in ("Cases", "Reports")}
        self.go(address.partition("?")[0])
        found = self._page.xpath("//table[@id='result_list']//tbody//a/@href")
        return [link for link in dict.fromkeys(found) if link.endswith("/change/")]

    def open_case(self) -> "Site":
        """Open the only case."""
        (address,) = self.cases()
        return self.go(address)

    def press(self, button: str, *, words: str = "", **fields: str) -> "Site":
        """Press the first button with such words. `words` goes into the form's large field."""
        form, pressed = next(
            (form, one)
            for form in self._page.forms
            for one in form.xpath(".//button")
            if re.search(button, _words(one), re.IGNORECASE)
        )
        large = form.xpath(".//textarea/@name")
        filled = {large[0]: words} if words else {}
        dates = form.xpath(".//input[@type='date']/@name")
        if "until" in fields:
            filled[dates[0]] = fields.pop("until")
        self._send(form, filled | fields, [pressed])
        return self

    def choose(self, person: str, *, sure: bool = False) -> "Site":
        """Choose whom a report of a group is about; `sure`: tick the box too."""
        select = self._page.xpath("//form//select")[0]
        value = next(one.get("value") for one in select if person in _words(one))
        form = next(select.iterancestors("form"))
        box = form.xpath(".//input[@type='checkbox']/@name")[0]
        ticked = {box: "on"} if sure else {}
        self._send(form, {select.get("name"): value} | ticked, form.xpath(".//button"))
        return self

    def _send(self, form: Any, filled: dict[str, str], buttons: list[Any]) -> None:
        data = {**dict(form.form_values()), **filled}
        if buttons and buttons[0].get("name"):
            data[buttons[0].get("name")] = buttons[0].get("value") or ""
        address = form.get("action") or self._address
        self._show(self._client.post(address, data, follow=True), address)

    def _show(self, answer: Any, address: str) -> None:
        assert answer.status_code == 200, (address, answer.status_code)
        chain = getattr(answer, "redirect_chain", [])
        self._address = chain[-1][0] if chain else address
        self._page = html.fromstring(answer.content.decode())


def _words(element: Any) -> str:
    return " ".join(element.text_content().split())
