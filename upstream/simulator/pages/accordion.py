"""News as an accordion: a heading, then a group, each item with its text and its labels."""

from datetime import timedelta
from itertools import groupby

from upstream.simulator import swedish_dates
from upstream.simulator.noticeboard import Notice

_LABELS = {
    "sv": ("Från", "Till", "Publicerad", "Visa till"),
    "en": ("From:", "To:", "Published:", "Show until:"),
}


def sections(notices: list[Notice], language: str, kind: int = 1) -> str:
    """Every group under its heading, the first one without. `id="accordion"` is repeated."""
    parts = []
    for category, group in groupby(notices, key=lambda notice: notice.category):
        if category:
            parts.append(f'<div class="h3_bold">{category}</div>')
        items = "\n".join(item(notice, language, kind) for notice in group)
        parts.append(f'<div class="accordion" id="accordion">\n{items}\n</div>')
    return "\n".join(parts)


def item(notice: Notice, language: str, kind: int = 1) -> str:
    """One item, open or not: the text is always there."""
    n = notice.id
    return f"""<div id="accordion-group{n}" class="accordion-group">
 <div id="accordion-heading{n}" class="accordion-heading">\
<a class="accordion-toggle" href="#collapse{n}">
{_heading(notice)}</a></div>
 <div id="collapse{n}" class="accordion-body collapse"><div class="accordion-inner">
  <div class="accordion_inner_left">{_text(notice)}</div>
  <form id="formtable" method="post" \
action="right_student_news.jsp?action=update&requestid={n}&type={kind}"></form>
  <div class="accordion_inner_right"><div class="inner_right_info">{_facts(notice, language)}
   <div id='fileAttach{n}'><a href="right_student_file_download.jsp?requestid1={n}\
&requestid2={kind}&object=news&fileid=7741" title="Veckobrev v12.pdf">Veckobr...pdf</a>
   (141&nbsp;KB)</div></div></div>
 </div></div></div>"""


def _heading(notice: Notice) -> str:
    """With a left and a right half, or, for every third item, without."""
    name = f"<span id='name{notice.id}'>{notice.title}</span>"
    preview = f'<div class="preview-block">{notice.teaser}</div>'
    day = swedish_dates.in_lists(notice.published)
    if notice.id % 3 == 0:
        return f'{name}<div class="accordion-heading-date">{day}</div>{preview}'
    return f"""   <div class="accordion-heading-left">{name}{preview}</div>
   <div class="accordion-heading-right">\
<div class="accordion-heading-date-wide">{day}</div></div>"""


def _text(notice: Notice) -> str:
    """A paragraph around a span that itself holds paragraphs; or the span alone; or no
    paragraph at all."""
    body = f'<p class="tinymce-p">{notice.teaser}</p><p class="tinymce-p">&nbsp;</p>'
    span = f"<span id='description{notice.id}'>{{}}</span>"
    if notice.id % 3 == 0:
        return span.format(body + "<ul><li>Mats&auml;ck</li><li>Regnkl&auml;der</li></ul>")
    if notice.id % 3 == 1:
        return span.format(notice.teaser)
    return f'<p class="acc-item-main">{span.format(body)}</p>'


def _facts(notice: Notice, language: str) -> str:
    until = notice.published + timedelta(days=21)
    values = (
        notice.author,
        "8A, 8B, 8C&nbsp;",
        swedish_dates.in_lists(notice.published),
        swedish_dates.in_lists(until),
    )
    return "".join(
        f"<label>{label}</label><div>{value}</div>"
        for label, value in zip(_LABELS[language], values, strict=True)
    )
