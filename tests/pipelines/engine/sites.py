"""A web site on this machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime
from urllib.parse import urlsplit

from tests.fakes.loopback import JsonHandler, serving


class Site:
    """A web site: its pages by path, and the requests that it got.

    Pages in ``changed`` are compared by that moment alone, the others by their ETag.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.host = urlsplit(url).netloc
        self.pages: dict[str, tuple[int, str, str]] = {}
        self.asked: list[tuple[str, int]] = []
        self.moved: dict[str, str] = {}
        self.keys: list[str | None] = []
        self.raw: dict[str, bytes] = {}
        self.raw_types: dict[str, str] = {}
        self.slow: set[str] = set()
        self.changed: dict[str, datetime] = {}
        self.etags: dict[str, str] = {}

    def put(self, path: str, text: str, media_type: str = "text/html", status: int = 200) -> None:
        self.pages[path] = (status, text, media_type)

    def list_in_sitemap(self, *paths: str) -> None:
        places = "".join(f"<url><loc>{path if '//' in path else self.url + path}</loc></url>" for path in paths)
        xmlns = "http://www.sitemaps.org/schemas/sitemap/0.9"
        self.put("/sitemap.xml", f'<urlset xmlns="{xmlns}">{places}</urlset>', "application/xml")


@contextmanager
def running_site() -> Iterator[Site]:
    """Serves a site until the block ends; addresses in ``slow`` answer after that."""
    over = threading.Event()

    class Handler(JsonHandler):
        def get(self) -> None:
            site.keys.append(self.headers.get("X-Wiki-Key"))
            if self.path in site.slow:
                while not over.is_set():
                    time.sleep(0.05)
            if self.path in site.moved:
                self.send(302, "", "text/plain", Location=site.moved[self.path])
                return
            if self.path in site.raw:
                site.asked.append((self.path, 200))
                self.send_response(200)
                self.send_header("content-length", str(len(site.raw[self.path])))
                if self.path in site.raw_types:
                    self.send_header("content-type", site.raw_types[self.path])
                self.end_headers()
                self.wfile.write(site.raw[self.path])
                return
            status, text, media_type = site.pages.get(self.path, (404, "nothing here", "text/plain"))
            etag = site.etags.get(self.path, f'"{hash(text)}"')
            headers = {"ETag": etag}
            if status == 200 and self.headers.get("If-None-Match") == etag:
                status = 304
            if self.path in site.changed:
                status, headers = self._since(site.changed[self.path], status)
            site.asked.append((self.path, status))
            self.send(status, "" if status == 304 else text, media_type, **headers)

        def _since(self, changed: datetime, status: int) -> tuple[int, dict[str, str]]:
            """As servers of files do: a page is unchanged for everyone who knows a page that is as new."""
            asked = self.headers.get("If-Modified-Since")
            unchanged = asked is not None and changed <= parsedate_to_datetime(asked)
            return 304 if unchanged else status, {"Last-Modified": format_datetime(changed, usegmt=True)}

    with serving(Handler, over) as url:
        site = Site(url)
        try:
            yield site
        finally:
            over.set()


def page(text: str) -> str:
    """A page of HTML."""
    return f"<html><head><title>Kennel</title></head><body><h1>Kennel</h1><p>{text}</p></body></html>"
