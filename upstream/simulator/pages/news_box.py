"""The box of news on the start page, and the odd rows that come with it."""

from itertools import groupby

from upstream.simulator.noticeboard import NewsItem

_BLANK = "<tr><td>&nbsp;</td></tr>"
# A row without a link, a link without an id, one without a preview, one whose id is not the
# first of the query and is written with `&amp;`, one with single quotes and a nested font.
_ODD = """<tr><td><span class="heading_bold">L&auml;s mer under Aktuellt</span></td></tr>
<tr><td><a class="toplist-item" href="right_student_forum_list.jsp"><div class="heading_bold">\
Nytt i forumet</div><div>Tre inl&auml;gg &ndash; &aring;sikter v&auml;lkomna</div></a></td></tr>
<tr><td><a class="toplist-item" href="right_student_news.jsp?requestid=50991&type=1&action=view">\
<div class="heading_bold">Br&aring;ttom: f&ouml;rs&auml;kringen</div></a></td></tr>
<tr><td><a class="toplist-item" href="right_student_news.jsp?type=1&amp;requestid=50992&amp;\
action=view"><div class="heading_bold">Lov v&nbsp;9</div>
  <div> Sportlov
  hela veckan </div></a></td></tr>
<tr><td><a href='right_student_news.jsp?requestid=50993&type=1' class='toplist-item unread'>\
<div class='heading_bold'><font color="#333">Cykelställ</font></div><div>Lås&nbsp;cykeln</div></a>\
</td></tr>"""


def table_box(news: list[NewsItem], *, odd: bool) -> str:
    """Headings and tables in turn. The first item stands there twice.

    `odd` adds the rows above, and another item with the id of the last.
    """
    if not news:
        return '<div class="h3_bold">Skolledningen</div><p>Det finns inga nyheter.</p>'
    parts = []
    for category, group in groupby(news, key=lambda news_item: news_item.category):
        if category:
            parts.append(f'<div class="h3_bold">{category}</div>')
        rows = [_row(news_item) for news_item in group]
        if odd and not parts:
            rows.append(rows[0])
        parts.append(_table([*rows, _BLANK]))
    if odd:
        rest = _table([_ODD, _other_with_its_id(news[-1]), _BLANK])
        parts += ['<div class="h3_bold">&Ouml;vrigt</div>', rest]
    return "\n".join(parts)


def bare_links(news: list[NewsItem]) -> str:
    """Links straight in the rows, without cells: ill-formed, and taken apart by parsers."""
    rows = "\n".join(f"<tr>{_link(news_item)}</tr>" for news_item in news)
    return f'<div class="h3_bold">Skolledningen</div><table class="table">{rows}</table>'


def _table(rows: list[str]) -> str:
    return f'<table class="table table-striped">{"".join(rows)}</table>'


def _row(news_item: NewsItem) -> str:
    return f"<tr><td>\n {_link(news_item)}\n</td></tr>"


def _link(news_item: NewsItem) -> str:
    href = f"right_student_news.jsp?requestid={news_item.id}&type=1&action=view"
    return (
        f'<a class="toplist-item" href="{href}"><div class="heading_bold">{news_item.title}</div>'
        f"<div>{news_item.teaser}</div></a>"
    )


def _other_with_its_id(news_item: NewsItem) -> str:
    href = f"right_student_news.jsp?requestid={news_item.id}&type=2&action=view"
    return (
        f'<tr><td><a class="toplist-item" href="{href}"><div class="heading_bold">'
        "R&auml;ttelse</div><div>Fel datum i f&ouml;rra inl&auml;gget</div></a></td></tr>"
    )
