"""Reads sitemaps: the pages that they list, also those of sitemaps in one another."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator

import httpx
from lxml import etree

from pipelines.components.sources.pages import Pages, Refused

_MOST_FILES = 1000
"""Sitemaps that one source may have."""
_MOST_BYTES = 50 * 2**20
"""The largest a sitemap may be, unpacked; https://www.sitemaps.org/protocol.html says the same."""


class SitemapUnreadable(Exception):
    """A sitemap cannot be read, and why."""


def listed_pages(pages: Pages, url: str, tick: Callable[[], None]) -> Iterator[str]:
    """Give the addresses that a sitemap lists, and those of the sitemaps that it names; each sitemap is read once.

    ``tick`` is called before each of them is fetched.

    Raises:
        SitemapUnreadable: One of them cannot be read.
    """
    waiting, seen = [url], {url}
    while waiting:
        tick()
        place = waiting.pop(0)
        tree = _fetched(pages, place)
        found = [(entry.text or "").strip() for entry in tree.iter("{*}loc")]
        if etree.QName(tree).localname != "sitemapindex":
            yield from found
            continue
        waiting += [one for one in dict.fromkeys(found) if one not in seen]
        seen.update(found)
        if len(seen) > _MOST_FILES:
            raise SitemapUnreadable(f"the sitemap {url} leads to more than {_MOST_FILES:,} sitemaps")


def _fetched(pages: Pages, url: str) -> etree._Element:
    try:
        answer = pages.get(url)
        if answer.status_code != httpx.codes.OK:
            raise Refused(f"status {answer.status_code}")
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        return etree.fromstring(_unpacked(answer.content), parser)
    except (Refused, OSError, EOFError, zlib.error, etree.XMLSyntaxError) as error:
        raise SitemapUnreadable(f"the sitemap {url} cannot be read: {error}") from error


def _unpacked(content: bytes) -> bytes:
    if not content.startswith(b"\x1f\x8b"):
        return content
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
        unpacked = packed.read(_MOST_BYTES + 1)
    if len(unpacked) > _MOST_BYTES:
        raise Refused(f"it is over {_MOST_BYTES:,} bytes when it is unpacked")
    return unpacked
