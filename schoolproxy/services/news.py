"""The news on a person's start page, and the articles of the news page."""

import re
from dataclasses import asdict
from functools import partial
from typing import Any, Final

import orjson

from accounts.callers import Caller
from schoolproxy.cache import CachedAnswer, Question, ask
from schoolproxy.errors import SchoolItemUnknown
from schoolproxy.reads import Fields, SchoolRead
from schoolproxy.school_texts import PICTURE, readable
from schoolproxy.services.attachments import attachment_fields, file_url
from schoolproxy.services.downloads import Download, count_download, open_download
from schoolproxy.services.watch import own_reads
from upstream.calls.files import FileAddress
from upstream.calls.news import CURRENT, OLDER, fetch_articles, fetch_news
from upstream.endpoints import FILE_PAGE
from upstream.page_records import Article
from upstream.records import ChosenChild, ProvenSession
from upstream.shared_client import client

KINDS: Final = {"current": CURRENT, "older": OLDER}
# What the list has of each article.
_LISTED: Final = (
    *("id", "title", "preview", "category", "publishedAt", "author", "hasAttachments", "older"),
)
_SRC: Final = re.compile(rf'src="{re.escape(PICTURE)}(\d+)"')


def news_read() -> SchoolRead:
    def fetch(web: ProvenSession) -> Fields:
        return {"data": [asdict(item) for item in fetch_news(client(), web=web)]}

    return SchoolRead("news", fetch, counter="news_fetch")


def articles_read(kind: int) -> SchoolRead:
    """The articles in full, the newest first: one request, for the list and each of them."""

    def after_fetch(caller: Caller, child: ChosenChild | None, fields: Fields) -> None:
        if kind == CURRENT:
            own_reads.compare(caller, child, "news", fields["articles"])

    return SchoolRead(
        f"articles-{kind}",
        partial(_fetch, kind=kind),
        after_fetch=after_fetch,
        for_teachers=False,
        feature="news",
    )


def list_of_articles(question: Question, kind: int) -> CachedAnswer:
    """The list without the texts. Raises: as `answer_through_cache`."""

    def shorten(fields: Fields) -> Fields:
        listed = [{name: article[name] for name in _LISTED} for article in fields["articles"]]
        return fields | {"articles": listed}

    return ask(question, articles_read(kind)).changed(shorten)


def one_article(question: Question, number: int) -> CachedAnswer:
    """An article that is on either page. Raises: SchoolItemUnknown, and as
    `answer_through_cache`."""
    for kind in (CURRENT, OLDER):
        try:
            answer = ask(question, articles_read(kind))
            return answer.changed(partial(_only, question=question, number=str(number)))
        except SchoolItemUnknown:
            continue
    raise SchoolItemUnknown


def article_file(question: Question, number: int, file_id: int) -> Download:
    """A file of an article that the caller can read.

    Raises: TooManyRequests, SchoolItemUnknown, and as `answer_through_cache` and `open_download`.
    """
    count_download(question.caller)
    article = orjson.loads(one_article(question, number).body)["article"]
    names = {file["id"]: file["name"] for file in article["attachments"]}
    if str(file_id) not in names:
        raise SchoolItemUnknown
    kind = OLDER if article["older"] else CURRENT
    query: dict[str, str | int] = {
        "requestid1": number,
        "requestid2": kind,
        "object": "news",
        "fileid": file_id,
    }

    def item_page(web: ProvenSession) -> object:
        return fetch_articles(client(), web=web, kind=kind)

    address = FileAddress(FILE_PAGE, query, item_page, name=names[str(file_id)])
    return open_download(question, address)


def _fetch(web: ProvenSession, *, kind: int) -> Fields:
    articles = [
        _fields(article, web.school, older=kind == OLDER)
        for article in fetch_articles(client(), web=web, kind=kind)
    ]
    # Stable: those of a day, and those without one (at the end), stay in the order of the page.
    articles.sort(key=lambda article: article["publishedAt"] or "", reverse=True)
    return {"articles": articles}


def _fields(article: Article, school: str, *, older: bool) -> dict[str, Any]:
    files = attachment_fields(article.attachments)
    pictures = frozenset(file["id"] for file in files if file["type"] == "image")
    html, text = readable(article.html, school=school, pictures=pictures)
    author = {"name": article.author, "isStaff": article.by_staff} if article.author else None
    return {
        "id": article.id,
        "title": article.title,
        "preview": article.preview,
        "category": article.category,
        "publishedAt": article.published,
        "author": author,
        "hasAttachments": bool(files),
        "older": older,
        "html": html,
        "text": text,
        "groups": list(article.groups),
        "visibleUntil": article.visible_until,
        "question": {"label": article.question} if article.question else None,
        "attachments": files,
    }


def _only(fields: Fields, *, question: Question, number: str) -> Fields:
    """The fields with one article in place of all, and our addresses of its files."""
    articles = [article for article in fields.pop("articles") if article["id"] == number]
    if not articles:
        raise SchoolItemUnknown
    article = articles[0]

    def url(file: str, *, inline: bool = False) -> str:
        path = f"/api/news/{number}/attachments/{file}"
        return file_url(path, fields, question.choice, inline=inline)

    def src(match: re.Match[str]) -> str:
        return f'src="{url(match[1], inline=True).replace("&", "&amp;")}"'

    for file in article["attachments"]:
        file["url"] = url(file["id"])
    return fields | {"article": article | {"html": _SRC.sub(src, article["html"])}}
