"""Texts of the school: addresses that somebody typed become links, and nothing else changes."""

import pytest

from schoolproxy.school_texts import MAX_LINKS, readable


@pytest.mark.parametrize(
    ("html", "links", "text"),
    [
        ("Se https://x.example/a?b=1&amp;c=2, tack", ["https://x.example/a?b=1&amp;c=2"], None),
        ("(se www.x.example/a_(b)).", ["http://www.x.example/a_(b)"], "(se www.x.example/a_(b))."),
        ("HTTPS://X.EXAMPLE/å!", ["HTTPS://X.EXAMPLE/å"], "HTTPS://X.EXAMPLE/å!"),
        ("a https://x.example<br>b", ["https://x.example"], "a https://x.example\nb"),
        ("<a href='https://a.example'>https://b.example</a>", ["https://a.example"], None),
        ("<b>https://x.example</b>", ["https://x.example"], None),
        ("https:// javascript:alert(1)", [], None),
        ('https://x.example/"onclick="alert(1)', ["https://x.example/"], None),
        ("https://x.example/&lt;img src=x&gt;", ["https://x.example/"], None),
        ("<script>'https://x.example'</script>a", [], "a"),
        ("<!-- https://x.example -->a", [], "a"),
        ("https://" + "(" * 1_000 + ")" * 1_000, ["https://" + "(" * 1_000 + ")" * 1_000], None),
    ],
)
def test_an_address_becomes_a_link(html: str, links: list[str], text: str | None) -> None:
    safe, plain = readable(html, school="bjorkdalen")
    assert safe.count("<a ") == safe.count("</a>") == len(links)
    for link in links:
        assert f'<a href="{link}" target="_blank" rel="noopener noreferrer">' in safe
    assert "<img" not in safe
    assert text in (None, plain)


def test_of_thousands_of_pictures_their_words_remain() -> None:
    # Within one element: to look for each among the others would take seconds.
    safe, plain = readable('<img src="//x.example" alt="A&lt;b"> ' * 13_000, school="bjorkdalen")
    assert safe.split() == ["A&lt;b"] * 13_000
    assert plain.split() == ["A<b"] * (len(plain) // 4 + 1)


@pytest.mark.parametrize("text", ["https://x.example/))))))) ", "www.x.example<br>"])
def test_of_thousands_of_addresses_the_first_become_links(text: str) -> None:
    safe, plain = readable(text * 2_500, school="bjorkdalen")
    assert safe.count("<a ") == MAX_LINKS
    assert plain.count("x.example") == 2_500
