"""Reads RSS and Atom feeds: each entry becomes a page."""

from __future__ import annotations

import io
import re
from calendar import timegm
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from html import escape
from typing import Any

import httpx

from pipelines.components.sources.charsets import in_utf8
from pipelines.components.sources.items import Failed, Item, Remembered, SourceUnavailable, digest, safe_path
from pipelines.components.sources.pages import Pages, Refused, mark_of
from pipelines.profile.sections.sources import FeedSource

_MARK = ".feed"
"""A hidden file, which is no document: it carries what tells whether the feed has changed."""
_END = re.compile(rb"</(?:[\w.-]+:)?(?:rss|feed|rdf)\s*>", re.IGNORECASE)
_END_WITHIN = 4096  # bytes: comments of the program that made the feed may follow


class Feed:
    """Reads a `FeedSource`.

    Args:
        section: The feed.
        most_bytes: A larger feed is refused.
        takes: Whether the entry of this file name is wanted.
        tick: Called while the feed is waited for; what it raises ends the work.
    """

    forgets = False

    def __init__(
        self, section: FeedSource, most_bytes: int, takes: Callable[[str], bool], tick: Callable[[], None]
    ) -> None:
        self._section = section
        self._takes = takes
        self._pages = Pages([section.url], section.hosts, section.headers, most_bytes, tick)

    def items(self, known: Mapping[str, Remembered]) -> Iterator[Item | Failed]:
        """See `Source`."""
        url, before = self._section.url, known.get(self._section.url)
        try:
            answer = self._pages.get(url, before.mark if before else "")
        except Refused as error:
            raise SourceUnavailable(self._section.name, str(error)) from error
        finally:
            self._pages.close()
        if before is not None and answer.status_code == httpx.codes.NOT_MODIFIED:
            return
        if answer.status_code != httpx.codes.OK:
            raise SourceUnavailable(self._section.name, f"{url} answers with status {answer.status_code}")
        yield from filter(lambda item: self._takes(item.path), map(_item, self._entries(answer)))
        yield Item(url, _MARK, b"", mark_of(answer))  # last: an interrupted sync reads the feed again

    def _entries(self, answer: httpx.Response) -> list[Any]:
        import feedparser  # few tenants have feeds

        content, url = in_utf8(answer), self._section.url
        base = answer.url.copy_with(query=None)  # of relative links, which must not show a key
        about = {"content-type": "application/xml", "content-location": str(base)}
        try:
            # bytes alone may be taken for a file's name
            feed = feedparser.parse(io.BytesIO(content), sanitize_html=True, response_headers=about)
        except Exception as error:  # it fails in many ways over what feeds hold
            detail = f"{url} cannot be read: {type(error).__name__}: {error}"
            raise SourceUnavailable(self._section.name, detail) from error
        if not feed.entries and feed.bozo:
            raise SourceUnavailable(self._section.name, f"{url} is no feed: {feed.bozo_exception}")
        if feed.bozo and not _END.search(content.replace(b"\0", b"")[-_END_WITHIN:]):
            raise SourceUnavailable(self._section.name, f"{url} breaks off before its end: {feed.bozo_exception}")
        return list(feed.entries)


def _item(entry: Any) -> Item:
    title, link = entry.get("title", ""), entry.get("link", "")
    bodies = [part.value for part in entry.get("content", ())] or [entry.get("summary", "")]
    key = entry.get("id") or link or title or digest("".join(bodies))
    head = f"<head><title>{escape(title)}</title></head>"
    page = f"<html>{head}<body><h1>{escape(title)}</h1>{''.join(bodies)}</body></html>"
    metadata = {name: value for name, value in {"url": link, "published": _date(entry)}.items() if value}
    return Item(key, safe_path(f"{title[:60]}-{digest(key)}.html"), page.encode(errors="replace"), metadata=metadata)


def _date(entry: Any) -> str:
    """Return when an entry was published, as ISO 8601; empty where it does not say so in a known way."""
    moment = entry.get("published_parsed") or entry.get("updated_parsed")
    try:
        return "" if moment is None else datetime.fromtimestamp(timegm(moment), UTC).isoformat()
    except (ValueError, OverflowError):  # its zone moves it before the year 1, or behind 9999
        return ""
