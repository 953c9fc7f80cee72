"""Pages as a school sends them: windows-1252 declared as ISO-8859-1, with links and tables.

Written by hand from the protocol. A real start page is about 35 kB.
"""

from functools import cache

from benchmarks.fake_upstream.lessons import OWNER_SLOT, owner_mark

WEIGHT = 35_000
ITEMS = 20
_HEAD = """<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<html><head><meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1">
<title>Björkdalsskolan – Startsida</title>
<style>#news_con_content_x td { padding: 2px; } .h3_bold { font-weight: bold }</style>
<script type="text/javascript">var warn = "<div>Du har varit inaktiv</div>"; if (1 < 2) { x(); }
</script></head><body>
<div id="header"><a href="right_student_startpage.jsp?menu=1&lang=sv">Start</a></div>
"""
_FOOT = """<div id="inactiveWarning" style="display:none"><div class="h2">Varning</div>
<p>Du har varit inaktiv i:&nbsp;<span id="min">0</span> minuter.</p></div></body></html>
"""
_TITLES = [
    ("Studiedag fredag&nbsp;20 mars", "Skolan &auml;r st&auml;ngd f&ouml;r eleverna &hellip;"),
    ("Veckobrev v 12 – vår & värme", "Hej alla … här kommer veckans brev från arbetslaget"),
    ("Fotografering  i  aulan", "Ta med 50 € och ett leende ’skolfoto’"),
    ("L&auml;xhj&auml;lp p&aring; torsdagar", "Biblioteket kl&nbsp;15&ndash;17. Alla f&aring;r!"),
    ("Öppet hus", "Välkomna! &lt;anmäl er i receptionen&gt;"),
]


def start_page(user_id: int, items: int = ITEMS) -> bytes:
    """The start page of one account, with `items` news; one of them contains the account's mark."""
    return _start_page(items).replace(OWNER_SLOT, owner_mark(user_id))


@cache
def _start_page(items: int) -> bytes:
    news = "".join(map(_item, range(items)))
    start = f"{_HEAD}{_menu()}{_box('news_con', 'Nyheter', news)}"
    noise, rows = "", 0
    while len(start) + len(noise) + len(_FOOT) < WEIGHT:
        rows += 5
        tests = "".join(map(_test, range(rows)))
        noise = _box("week_tests_con", "Prov", tests) + _box("week_results_con", "Resultat", tests)
    return f"{start}{noise}{_FOOT}".encode("cp1252")


def _menu() -> str:
    entries = [
        f'<li class="menu-item"><a class="menu" href="right_student_{index}.jsp?menu={index}'
        f'&lang=sv"><span class="icon icon-{index}"></span>Meny&nbsp;{index} &aring;</a></li>\n'
        for index in range(30)
    ]
    return f'<ul id="menu">{"".join(entries)}</ul>\n'


def _box(name: str, title: str, rows: str) -> str:
    return (
        f'<div id="{name}" class="h2_container"><div class="h2_box"><div class="icon"></div>'
        f'<div class="h2">{title}</div></div>\n<div id="{name}_content" class="h2_inner">'
        f"{rows}</div></div>\n"
    )


def _item(number: int) -> str:
    title, preview = _TITLES[number % len(_TITLES)]
    if number == 2:
        preview = OWNER_SLOT.decode()
    heading = '<div class="h3_bold">Skolledningen&nbsp;</div>' if number % 7 == 6 else ""
    return (
        f'{heading}<table class="table table-striped"><tr><td>\n  <a class="toplist-item" '
        f'href="right_student_news.jsp?requestid={51000 + number}&type=1&action=view">'
        f'<div class="heading_bold">{title} ({number})</div><div>{preview}</div></a>\n'
        " </td></tr><tr><td>&nbsp;</td></tr></table>\n"
    )


def _test(number: int) -> str:
    return (
        f'<table><tr><td><a class="list" href="right_student_test.jsp?requestid={number}">'
        f'<div class="heading_bold">tis 17 mars, Matematik</div><div>Prov kap {number} – öva på '
        '&rdquo;allt&rdquo;</div><p class="tinymce-p">R&auml;kna sid 84&ndash;91.&nbsp;</p></a>'
        "</td></tr></table>\n"
    )


def class_page(user_id: int) -> bytes:
    """A class of 28; the first pupil is the account itself."""
    return _class_page().replace(OWNER_SLOT, owner_mark(user_id))


@cache
def _class_page() -> bytes:
    pupils = "".join(_pupil(number) for number in range(28))
    table = f'<div class="h3_bold">Elever</div><table class="table table-striped">{pupils}</table>'
    return f"{_HEAD}{_box('contAll', 'Klass 8C', table)}{_FOOT}".encode("cp1252")


def _pupil(number: int) -> str:
    name = OWNER_SLOT.decode() if number == 0 else f"Ömer Sjölin-{chr(65 + number)}"
    return (
        '<tr><td><div class="span6left"><div class="display"><div class="display-info">'
        f'<div class="control-group"><div id="name" class="heading_bold">Elsa {name}</div></div>'
        f'<div class="control-group"><div id="phone" class="value-parent">070-174 {number:02d} 05'
        '</div></div><div class="control-group"><div id="address" class="value-parent">Granvägen '
        f"{number}<br/>123 45&nbsp;Björkdalen</div></div></div></div></div></td></tr>\n"
    )
