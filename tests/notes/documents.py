"""Documents as a TipTap editor writes them."""

from typing import Any

Node = dict[str, Any]


def doc(*blocks: Node) -> Node:
    return {"type": "doc", "content": list(blocks)}


def node(kind: str, *children: Node, **attrs: Any) -> Node:
    """A node. Like an editor, without the keys of missing children or attributes."""
    made: Node = {"type": kind}
    if attrs:
        made["attrs"] = attrs
    if children:
        made["content"] = list(children)
    return made


def text(words: str, *marks: str | Node) -> Node:
    """Text with marks, each a name or an object."""
    made: Node = {"type": "text", "text": words}
    if marks:
        made["marks"] = [{"type": m} if isinstance(m, str) else m for m in marks]
    return made


def paragraph(words: str) -> Node:
    return node("paragraph", text(words))


def link(address: Any) -> Node:
    """A link mark as an editor writes it."""
    rel = "noopener noreferrer nofollow"
    attrs = {"href": address, "target": "_blank", "rel": rel, "class": None}
    return {"type": "link", "attrs": attrs}


def nested(levels: int) -> Node:
    """A paragraph within this many quotes."""
    inner = paragraph("inside")
    for _ in range(levels):
        inner = node("blockquote", inner)
    return doc(inner)


def _item(words: str, *more: Node) -> Node:
    return node("listItem", paragraph(words), *more)


def _task(words: str, *, checked: bool) -> Node:
    return node("taskItem", paragraph(words), checked=checked)


def _cell(kind: str, words: str, colspan: int = 1) -> Node:
    widths = None if colspan == 1 else [120] * colspan
    return node(kind, paragraph(words), colspan=colspan, rowspan=1, colwidth=widths)


def _row(kind: str, *cells: str) -> Node:
    return node("tableRow", *(_cell(kind, words) for words in cells))


CODE = (
    "def solljus(blad: str) -> float:\n"
    "    # en rad som är längre än vad någon telefon är bred, och som ingen bryter av åt läsaren\n"
    "    return 6 * CO2 + 6 * H2O\n"
)
_SPANNING = node(
    "tableRow",
    _cell("tableCell", "Finns i alla växter", 3),
    *(_cell("tableCell", words) for words in ("–", "Blad", "Grön")),
)
# Every kind of node and mark, long words, a wide table and a long line of code.
RICH = doc(
    node("heading", text("Fotosyntesen"), level=1, textAlign=None),
    node(
        "paragraph",
        text("Växter gör "),
        text("socker", "bold"),
        text(" och "),
        text("syre", "italic"),
        text(" av "),
        text("ljus", "highlight"),
        text(". Det är "),
        text("inte", "underline"),
        text(" "),
        text("magi", "strike"),
        text(" utan kemi: C"),
        text("6", "subscript"),
        text("H"),
        text("12", "subscript"),
        text("O"),
        text("6", "subscript"),
        text(", ungefär 10"),
        text("3", "superscript"),
        text(" gånger om. Läs "),
        text("Skolverkets sida", link("https://www.skolverket.se/biologi?sida=1&del=2")),
        text(" eller "),
        text("skriv till mig", link("mailto:elsa@bjorkdalen.example")),
        text(". Kör "),
        text("python blad.py", "code"),
        text(" sedan.", {"type": "textStyle", "attrs": {"color": "#ff0000"}}),
        node("hardBreak"),
        text("En ny rad i samma stycke."),
    ),
    node("heading", text("Att läsa till provet"), level=2),
    node(
        "bulletList",
        _item("Kapitel 3: ljusreaktionen"),
        _item("Kapitel 4", node("orderedList", _item("Calvincykeln"), _item("Rubisco"), start=1)),
    ),
    node("orderedList", _item("Tredje försöket"), _item("Fjärde"), start=3, type=None),
    node(
        "taskList",
        _task("Läsa kapitel 3", checked=True),
        _task("Öva på glosorna, och fråga någon i klassen om det som är svårt", checked=False),
    ),
    node("blockquote", paragraph("Utan växter inga djur, och utan djur ingen som undrar.")),
    node("codeBlock", text(CODE), language="python"),
    node("horizontalRule"),
    node("heading", text("Jämförelse"), level=3),
    node(
        "table",
        _row("tableHeader", "Ämne", "Formel", "Massa", "Smältpunkt", "Var det finns", "Färg"),
        _row("tableCell", "Glukos", "C6H12O6", "180,16", "146 °C", "Frukt och honung", "Vit"),
        _SPANNING,
    ),
    node("paragraph", text("Mitt i raden"), textAlign="center"),
    paragraph("Realisationsvinstbeskattning" * 6),
    node("paragraph"),
    node("heading", text("Sist"), level=6),
)
