"""What an attribute of a node or a mark may say.

An attribute that is not listed for its node is left out of the validated document.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from notes.richtext.links import is_safe_link

REQUIRED: Final = object()
_COLOUR: Final = re.compile(r"[#\w(),.%/ -]{1,64}")


@dataclass(frozen=True, slots=True)
class Attribute:
    """`fits` says whether a value will do, `sentence` what would. No default: it must be there."""

    fits: Callable[[Any], bool]
    sentence: str
    default: Any = None

    def check(self, value: Any) -> None:
        """Raises: ValueError with the sentence."""
        if not self.fits(value):
            raise ValueError(self.sentence)


def _whole(lowest: int, highest: int) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest
    )


def _one_of(*words: Any) -> Callable[[Any], bool]:
    return lambda value: (value is None or isinstance(value, str)) and value in words


def _short(length: int) -> Callable[[Any], bool]:
    return lambda value: value is None or (isinstance(value, str) and len(value) <= length)


def _is_colour(value: Any) -> bool:
    return value is None or (isinstance(value, str) and bool(_COLOUR.fullmatch(value)))


def _is_widths(value: Any) -> bool:
    fits = _whole(0, 10_000)
    return value is None or (
        isinstance(value, list)
        and len(value) <= 100
        and all(each is None or fits(each) for each in value)
    )


ALIGN: Final = {
    "textAlign": Attribute(
        _one_of(None, "left", "center", "right", "justify", "start", "end"),
        "textAlign is null, left, center, right or justify.",
    )
}
HEADING: Final = ALIGN | {
    "level": Attribute(_whole(1, 6), "level is a whole number from 1 to 6.", 1)
}
ORDERED_LIST: Final = {
    "start": Attribute(_whole(0, 1_000_000), "start is a whole number from 0.", 1),
    "type": Attribute(_one_of(None, "1", "a", "A", "i", "I"), "type is null, 1, a, A, i or I."),
}
TASK_ITEM: Final = {
    "checked": Attribute(lambda value: isinstance(value, bool), "checked is true or false.", False)
}
CODE_BLOCK: Final = {"language": Attribute(_short(64), "language is null or a short word.")}
_SPAN: Final = _whole(1, 100)
TABLE_CELL: Final = ALIGN | {
    "colspan": Attribute(_SPAN, "colspan is a whole number from 1 to 100.", 1),
    "rowspan": Attribute(_SPAN, "rowspan is a whole number from 1 to 100.", 1),
    "colwidth": Attribute(_is_widths, "colwidth is null or a list of whole numbers."),
}
LINK: Final = {
    "href": Attribute(is_safe_link, "href leads to http, https or mailto only.", REQUIRED),
    "target": Attribute(
        _one_of(None, "", "_blank", "_self", "_parent", "_top"), "target is null or _blank."
    ),
    "rel": Attribute(_short(200), "rel is null or a short text."),
    "class": Attribute(_short(200), "class is null or a short text."),
    "title": Attribute(_short(500), "title is null or a short text."),
}
HIGHLIGHT: Final = {"color": Attribute(_is_colour, "color is null or a colour.")}
TEXT_STYLE: Final = {
    "color": Attribute(_is_colour, "color is null or a colour."),
    "backgroundColor": Attribute(_is_colour, "backgroundColor is null or a colour."),
    "fontFamily": Attribute(_short(200), "fontFamily is null or a short text."),
    "fontSize": Attribute(_short(32), "fontSize is null or a short text."),
    "lineHeight": Attribute(_short(32), "lineHeight is null or a short text."),
}
