"""Text recognition as readers of files see it: what reads the pages of a file, and what it returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Kind = Literal["pdf", "image"]


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page, without blank lines at its ends; empty where the page shows none.

    ``confidence`` is how sure the engine is of the page's words, in 0..1, None where it does not tell; ``note`` says
    what is amiss with the text.
    """

    text: str
    confidence: float | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class UnreadPage:
    """A page that could not be read, and why; ``passing`` where another attempt may do better."""

    reason: str
    passing: bool = False


class PageReader(Protocol):
    """Recognises the text on the pages of one document."""

    @property
    def name(self) -> str:
        """The engine and its model, for people."""

    def pages_in(self, image: bytes) -> int | UnreadPage:
        """Return how many pages an image file has."""

    def read(self, content: bytes, kind: Kind, pages: Sequence[int]) -> dict[int, PageText | UnreadPage]:
        """Return what stands on ``pages`` (from 0) of a file, in their order."""


class Engine(Protocol):
    """Reads images of pages; may be called from several threads."""

    def read(self, image: bytes, seconds: float) -> PageText | UnreadPage:
        """Return the text in a PNG, given up after so many seconds."""

    def close(self) -> None:
        """Abort the running work."""


class PageCache(Protocol):
    """Keeps what was read, by key (32 bytes), each for the document that holds the page."""

    def known(self, key: bytes, document_id: str) -> list[str] | None:
        """Return what is kept under ``key`` for a document."""

    def keep(self, key: bytes, value: list[str], document_id: str) -> None:
        """Keep ``value``."""
