"""Fetches pages from the hosts that a source names, and from no others."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, wait
from functools import partial
from urllib.request import getproxies

import httpx
from pydantic import SecretStr

from pipelines.components.sources.addresses import CheckedTransport

AGENT = "footnote"
_SECONDS = 30.0
"""Longest wait for a connection, or for the next bytes."""
_MOST_SECONDS = 120.0
"""Longest time for one page in all."""
_MOST_REDIRECTS = 5
_LOOK_SECONDS = 0.2


class Refused(Exception):
    """A page that is not read, and why."""


class Pages:
    """Fetches pages, and only those of certain hosts.

    Without a proxy in the environment, hosts with private addresses are refused unless they are named in ``hosts`` or
    by their address. A proxy looks names up itself.

    Args:
        named: Addresses that the profile names; ``headers`` are sent to their servers only.
        hosts: Further hosts, each with its port if that is not the scheme's own.
        headers: Sent with requests, such as a key.
        most_bytes: Larger pages are refused.
        tick: Called while a host is waited for; what it raises ends the waiting.
    """

    def __init__(
        self,
        named: Sequence[str],
        hosts: Collection[str],
        headers: Mapping[str, SecretStr],
        most_bytes: int,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        further = {host.lower() for host in hosts}
        origins = {_origin(_parsed(url)) for url in named}
        self._hosts = further | {host for _, host in origins}
        self._origins = origins
        self._headers = {name: value.get_secret_value() for name, value in headers.items()}
        self._most_bytes = most_bytes
        self._tick = tick
        trusted = {_parsed(f"http://{host}").host for host in further}
        transport = None if getproxies().keys() & {"http", "https", "all"} else CheckedTransport(trusted)
        self._client = httpx.Client(headers={"User-Agent": AGENT}, timeout=_SECONDS, transport=transport)

    def get(self, url: str, mark: str = "", may_lead_to: Callable[[str], bool] = lambda _: True) -> httpx.Response:
        """Return the answer to a GET, its content read.

        Args:
            url: The page.
            mark: `mark_of` an answer from before.
            may_lead_to: Whether the page at an address that it leads to may be read.

        Raises:
            Refused: It leads to another host or to a page that may not be read, is too large, or does not answer.
        """
        place = _parsed(url)
        conditions, page = _conditions(mark)
        known = page or str(place)
        for _ in range(_MOST_REDIRECTS + 1):
            # Another page's conditions mean nothing here, and could be answered with "not modified".
            answer = self._get_once(place, conditions if str(place) == known else {})
            if not answer.has_redirect_location:
                return answer
            place = _joined(place, answer.headers["location"])
            self._require_host(place)
            if not may_lead_to(str(place)):
                raise Refused(f"it leads to {place}, which the robots.txt of that host forbids")
        raise Refused(f"more than {_MOST_REDIRECTS} redirects")

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _get_once(self, url: httpx.URL, conditions: Mapping[str, str]) -> httpx.Response:
        self._require_host(url)
        headers = {**(self._headers if _origin(url) in self._origins else {}), **conditions}
        return self._waited_for(partial(self._fetched, url, headers))

    def _require_host(self, url: httpx.URL) -> None:
        _, host = _origin(url)
        if url.scheme not in ("http", "https") or host not in self._hosts:
            raise Refused(f"it leads to {host or url}, which is not among the source's hosts")

    def _waited_for(self, work: Callable[[], httpx.Response]) -> httpx.Response:
        """Return the answer of ``work``, which ends by itself if it is no longer waited for."""
        done: Future[httpx.Response] = Future()
        threading.Thread(target=_run, args=(work, done), name="footnote-page", daemon=True).start()
        while not wait([done], _LOOK_SECONDS).done:
            self._tick()
        return done.result()

    def _fetched(self, url: httpx.URL, headers: Mapping[str, str]) -> httpx.Response:
        try:
            with self._client.stream("GET", url, headers=headers) as answer:
                return self._whole(answer, url)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Refused(f"{type(error).__name__}: {error}") from error

    def _whole(self, answer: httpx.Response, url: httpx.URL) -> httpx.Response:
        content, until = bytearray(), time.monotonic() + _MOST_SECONDS
        for piece in answer.iter_bytes():
            content += piece
            if len(content) > self._most_bytes:
                raise Refused(f"it is over {self._most_bytes:,} bytes")
            if time.monotonic() > until:
                raise Refused(f"it takes longer than {_MOST_SECONDS:.0f} s")
        # As bytes: a server's own words need not be ASCII.
        headers = [(name, value) for name, value in answer.headers.raw if name.lower() != b"content-encoding"]
        asked = httpx.Request("GET", url)  # the answer names the address of the host instead
        return httpx.Response(answer.status_code, headers=headers, content=bytes(content), request=asked)


def _run(work: Callable[[], httpx.Response], done: Future[httpx.Response]) -> None:
    try:
        done.set_result(work())
    except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
        done.set_exception(error)


def mark_of(answer: httpx.Response) -> str:
    """Return what tells the server the next time which answer is known: its conditions, and the page they are of."""
    etag, modified = answer.headers.get("etag", ""), answer.headers.get("last-modified", "")
    return f"{etag}\n{modified}\n{answer.request.url}" if etag or modified else ""


def _conditions(mark: str) -> tuple[dict[str, str], str]:
    """Return the conditions of a request, and the page that they are of; "" in the mark of an earlier release."""
    etag, modified, page, *_ = [*mark.split("\n"), "", ""]
    conditions = {"If-None-Match": etag, "If-Modified-Since": modified}
    return {name: value for name, value in conditions.items() if value and value.isascii()}, page


def _parsed(url: str) -> httpx.URL:
    try:
        return httpx.URL(url)
    except httpx.InvalidURL as error:
        raise Refused(f"{url[:200]!r} is no address: {error}") from None


def _joined(base: httpx.URL, location: str) -> httpx.URL:
    try:
        return base.join(location)
    except httpx.InvalidURL as error:
        raise Refused(f"it leads to {location[:200]!r}, which is no address: {error}") from None


def _origin(url: httpx.URL) -> tuple[str, str]:
    """Return the scheme, and the host with its port if that is not the scheme's own."""
    return url.scheme, url.netloc.decode("ascii", "replace").lower()
