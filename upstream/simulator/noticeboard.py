"""The news of a school, as data. The pages make HTML of them."""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from random import Random

_CATEGORIES = ("", "Skolledningen", "Elevrådet & föreningar", "Biblioteket")
# title, and its teaser: entities, blanks and letters between 0x80 and 0x9F as they are written
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


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One item. Title and teaser are HTML; `category` is empty for what has none."""

    id: int
    title: str
    teaser: str
    category: str
    author: str
    published: date


@lru_cache(maxsize=64)
def news_of(school: str, count: int, today: date) -> list[NewsItem]:
    """The newest first, the categories together and in order, the first without a heading."""
    rng = Random(f"{school}/news")  # noqa: S311 - to be repeated, not to be secret
    news = []
    for number in range(count):
        title, teaser = _TEXTS[number % len(_TEXTS)]
        turn = number // len(_TEXTS)
        news.append(
            NewsItem(
                id=_FIRST_ID + 7 * (count - number),
                title=f"{title} ({turn + 1})" if turn else title,
                teaser=teaser,
                category=_CATEGORIES[number * len(_CATEGORIES) // count],
                author=rng.choice(_AUTHORS),
                published=today - timedelta(days=2 + 3 * number),
            )
        )
    return news
