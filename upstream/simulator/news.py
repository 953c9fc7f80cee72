"""The news of a school."""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from random import Random

from upstream.simulator.classes import class_of
from upstream.simulator.people import Person
from upstream.simulator.state import State

_CATEGORIES = ("", "Skolledningen", "Elevrådet & föreningar", "Biblioteket")
# Title and teaser, with entities, blanks and letters between 0x80 and 0x9F.
_TEXTS = [
    ("Studiedag fredag&nbsp;20 mars", "Skolan &auml;r st&auml;ngd f&ouml;r eleverna &hellip;"),
    ("Veckobrev v 12 – vår & värme", "Hej alla … här kommer veckans brev"),
    ("Fotografering  i  aulan", "Ta med 50 € och ett leende ’skolfoto’"),
    (
        "L&auml;xhj&auml;lp p&aring; torsdagar",
        "Biblioteket kl&nbsp;15&ndash;17. Alla f&aring;r komma!",
    ),
    ("Nationella prov i åk 8 & 9", "Schemat bryts tisdag&ndash;torsdag"),
    ("Öppet hus", "Välkomna! &lt;anmäl er i receptionen&gt;"),
    ("Elevr&aring;det s&ouml;ker ledam&ouml;ter", "F&ouml;r klass 7&ndash;9"),
    ("Skolbio: ”Min vän Åke”", "Filmen b&ouml;rjar 09:15, samling 8.50"),
]
_AUTHORS = ("Åsa Lindroos (P)", "Torbjörn Ekvik (P)", "Rektor Görel Wästlund")
_FIRST_ID = 51200
# The letter of a class, which no other class sees, has this number and that of the class.
CLASS_LETTER = 580_000


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One item. Title and teaser are HTML; `category` may be empty."""

    id: int
    title: str
    teaser: str
    category: str
    author: str
    published: date


@lru_cache(maxsize=64)
def news_of(school: str, count: int, today: date) -> list[NewsItem]:
    """Newest first, grouped by category; the first group has no category."""
    rng = Random(f"{school}/news")  # noqa: S311 - repeatable, not secret
    news = []
    for number in range(count):
        title, teaser = _TEXTS[number % len(_TEXTS)]
        round_number = number // len(_TEXTS)
        news.append(
            NewsItem(
                id=_FIRST_ID + 7 * (count - number),
                title=f"{title} ({round_number + 1})" if round_number else title,
                teaser=teaser,
                category=_CATEGORIES[number * len(_CATEGORIES) // count],
                author=rng.choice(_AUTHORS),
                published=today - timedelta(days=2 + 3 * number),
            )
        )
    return news


def articles_of(person: Person, state: State) -> list[NewsItem]:
    """What a person sees on the news page: the letter of their class, and the school's news."""
    today = state.clock.today()
    own = class_of(person, state)
    letter = NewsItem(
        CLASS_LETTER + own.number,
        f"Klassbrev {own.name}",
        f"Till alla i {own.name}.",
        "",
        "Åsa Lindroos (P)",
        today,
    )
    return [letter, *news_of(person.school, state.settings.news_items, today)]
