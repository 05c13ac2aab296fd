"""Asks the robots.txt of each host whether a page may be read."""

from __future__ import annotations

from urllib.parse import urlsplit

import httpx
from protego import Protego

from pipelines.components.sources.pages import AGENT, Pages, Refused


class Robots:
    """The rules of hosts, each read once.

    As RFC 9309 has it: a host without the file allows everything, one whose file cannot be read allows nothing yet.
    """

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._rules: dict[str, Protego | Refused] = {}

    def allow(self, url: str) -> bool:
        """Return whether a page may be read.

        Raises:
            Refused: The rules of its host cannot be read.
        """
        try:
            parts = urlsplit(url)
        except ValueError as error:
            raise Refused(f"{url[:200]!r} is no address: {error}") from None
        root = f"{parts.scheme}://{parts.netloc}"
        if root not in self._rules:
            self._rules[root] = self._read_once(f"{root}/robots.txt")
        rules = self._rules[root]
        if isinstance(rules, Refused):
            raise Refused(str(rules))
        return bool(rules.can_fetch(url, AGENT))

    def _read_once(self, url: str) -> Protego | Refused:
        """Return the rules, or why they cannot be read: a host that is away is not asked again for each page."""
        try:
            return self._read(url)
        except Refused as error:
            return error

    def _read(self, url: str) -> Protego:
        answer = self._pages.get(url)
        if answer.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:
            raise Refused(f"{url} answers with status {answer.status_code}, so its pages are not read")
        return Protego.parse(answer.text if answer.status_code == httpx.codes.OK else "")
