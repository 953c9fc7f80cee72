"""News as an accordion: a heading, then a group, each item with its text and its labels."""

from datetime import timedelta
from itertools import groupby

from upstream.simulator import swedish_dates
from upstream.simulator.noticeboard import NewsItem

_LABELS = {
    "sv": ("Från", "Till", "Publicerad", "Visa till"),
    "en": ("From:", "To:", "Published:", "Show until:"),
}


def sections(news: list[NewsItem], language: str, kind: int = 1) -> str:
    """Every group under its heading, the first one without. `id="accordion"` is repeated."""
    parts = []
    for category, group in groupby(news, key=lambda news_item: news_item.category):
        if category:
            parts.append(f'<div class="h3_bold">{category}</div>')
        items = "\n".join(item(news_item, language, kind) for news_item in group)
        parts.append(f'<div class="accordion" id="accordion">\n{items}\n</div>')
    return "\n".join(parts)


def item(news_item: NewsItem, language: str, kind: int = 1) -> str:
    """One item, open or not: the text is always there."""
    n = news_item.id
    return f"""<div id="accordion-group{n}" class="accordion-group">
 <div id="accordion-heading{n}" class="accordion-heading">\
<a class="accordion-toggle" href="#collapse{n}">
{_heading(news_item)}</a></div>
 <div id="collapse{n}" class="accordion-body collapse"><div class="accordion-inner">
  <div class="accordion_inner_left">{_text(news_item)}</div>
  <form id="formtable" method="post" \
action="right_student_news.jsp?action=update&requestid={n}&type={kind}"></form>
  <div class="accordion_inner_right"><div class="inner_right_info">{_facts(news_item, language)}
   <div id='fileAttach{n}'><a href="right_student_file_download.jsp?requestid1={n}\
&requestid2={kind}&object=news&fileid=7741" title="Veckobrev v12.pdf">Veckobr...pdf</a>
   (141&nbsp;KB)</div></div></div>
 </div></div></div>"""


def _heading(news_item: NewsItem) -> str:
    """With a left and a right half, or, for every third item, without."""
    name = f"<span id='name{news_item.id}'>{news_item.title}</span>"
    preview = f'<div class="preview-block">{news_item.teaser}</div>'
    day = swedish_dates.in_lists(news_item.published)
    if news_item.id % 3 == 0:
        return f'{name}<div class="accordion-heading-date">{day}</div>{preview}'
    return f"""   <div class="accordion-heading-left">{name}{preview}</div>
   <div class="accordion-heading-right">\
<div class="accordion-heading-date-wide">{day}</div></div>"""


def _text(news_item: NewsItem) -> str:
    """A paragraph around a span that itself holds paragraphs; or the span alone; or no
    paragraph at all."""
    body = f'<p class="tinymce-p">{news_item.teaser}</p><p class="tinymce-p">&nbsp;</p>'
    span = f"<span id='description{news_item.id}'>{{}}</span>"
    if news_item.id % 3 == 0:
        return span.format(body + "<ul><li>Mats&auml;ck</li><li>Regnkl&auml;der</li></ul>")
    if news_item.id % 3 == 1:
        return span.format(news_item.teaser)
    return f'<p class="acc-item-main">{span.format(body)}</p>'


def _facts(news_item: NewsItem, language: str) -> str:
    until = news_item.published + timedelta(days=21)
    values = (
        news_item.author,
        "8A, 8B, 8C&nbsp;",
        swedish_dates.in_lists(news_item.published),
        swedish_dates.in_lists(until),
    )
    return "".join(
        f"<label>{label}</label><div>{value}</div>"
        for label, value in zip(_LABELS[language], values, strict=True)
    )
