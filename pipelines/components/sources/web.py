"""Reads web pages: those that are named, and those of a sitemap, on the hosts that the profile allows."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

import httpx

from pipelines.components.sources.charsets import in_utf8
from pipelines.components.sources.items import Failed, Item, Remembered, SourceUnavailable, digest, safe_path
from pipelines.components.sources.pages import Pages, Refused, mark_of
from pipelines.components.sources.robots import Robots
from pipelines.components.sources.sitemaps import SitemapUnreadable, listed_pages
from pipelines.profile.sections.sources import WebSource
from pipelines.reading import media_type_of

_GONE = frozenset({404, 410})
_HTML = frozenset({"text/html", "application/xhtml+xml"})
_ENDINGS = {"text/plain": ".txt", "text/markdown": ".md"}


class Web:
    """Reads a `WebSource`.

    Args:
        section: The pages.
        most_bytes: Larger pages are refused.
        takes: Whether the page at a host and path is wanted.
        tick: Called between requests and while one is waited for; what it raises ends the work.
    """

    forgets = True

    def __init__(
        self, section: WebSource, most_bytes: int, takes: Callable[[str], bool], tick: Callable[[], None]
    ) -> None:
        named = (*section.pages, *([section.sitemap] if section.sitemap else []))
        self._section = section
        self._takes = takes
        self._tick = tick
        self._pages = Pages(named, section.hosts, section.headers, most_bytes, tick)
        self._robots = Robots(self._pages)

    def items(self, known: Mapping[str, Remembered]) -> Iterator[Item | Failed]:
        """See `Source`."""
        try:
            for url in self._wanted():
                found = self._item(url, known.get(url))
                if found is not None:
                    yield found
        finally:
            self._pages.close()

    def _wanted(self) -> Iterator[str]:
        seen: set[str] = set()
        for listed in (*self._section.pages, *self._listed()):
            url = listed.partition("#")[0]
            if url not in seen and self._takes(_address_path(url)):
                seen.add(url)
                yield url

    def _listed(self) -> list[str]:
        sitemap = self._section.sitemap
        if sitemap is None:
            return []
        pages: list[str] = []
        try:
            for page in listed_pages(self._pages, sitemap, self._tick):
                pages.append(page)
                if len(pages) > self._section.most:  # the mirror says that there are too many
                    break
        except SitemapUnreadable as error:
            raise SourceUnavailable(self._section.name, str(error)) from error
        if not pages:
            raise SourceUnavailable(self._section.name, f"the sitemap {sitemap} lists no page")
        return pages

    def _item(self, url: str, known: Remembered | None) -> Item | Failed | None:
        """Return a page, or why it cannot be read; None where it is gone, or the site does not want it to be read."""
        try:
            if not self._is_allowed(url):
                return None
            answer = self._pages.get(url, known.mark if known else "", self._is_allowed)
        except Refused as error:
            return Failed(url, str(error))
        if answer.status_code == httpx.codes.NOT_MODIFIED and known is not None:
            return Item(url, known.path, None, known.mark, known.metadata)
        if answer.status_code in _GONE:
            return None if known is not None else Failed(url, f"status {answer.status_code}")
        if answer.status_code != httpx.codes.OK:
            return Failed(url, f"status {answer.status_code}")
        return Item(url, _path(url, answer), in_utf8(answer), mark_of(answer), {"url": url})

    def _is_allowed(self, url: str) -> bool:
        return not self._section.robots or self._robots.allow(url)


def _address_path(url: str) -> str:
    """Return the host and the path of an address, which patterns are compared with."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url  # asking for it tells what is wrong
    return f"{parts.netloc}{unquote(parts.path)}".rstrip("/")


def _path(url: str, answer: httpx.Response) -> str:
    """Return the name of a page's file: its host and path, and an ending that tells its format."""
    parts = urlsplit(url)
    *folders, name = [unquote(part) for part in parts.path.split("/")] or [""]
    stem = name or "index"
    if parts.query:
        stem = f"{PurePosixPath(stem).stem}-{digest(parts.query)}{PurePosixPath(stem).suffix}"
    return safe_path(parts.netloc, *folders, f"{stem}{_missing_ending(stem, answer)}")


def _missing_ending(name: str, answer: httpx.Response) -> str:
    """Return what a name lacks to tell the format that the server says."""
    media_type = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    known = media_type_of(name)
    if media_type in _HTML:
        return "" if known in _HTML else ".html"
    return "" if known else _ENDINGS.get(media_type) or mimetypes.guess_extension(media_type) or ""
