"""What reading a page's image gives, whatever reads it."""

from __future__ import annotations

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
class Unread:
    """A page that could not be read, and why; ``passing`` where another attempt may do better."""

    reason: str
    passing: bool = False


class Engine(Protocol):
    """Reads images of pages; may be called from several threads."""

    def read(self, image: bytes, seconds: float) -> PageText | Unread:
        """The text in a PNG, given up after so many seconds."""

    def close(self) -> None:
        """Gives up what is under way."""


class PageCache(Protocol):
    """Keeps what was read, by key (32 bytes), each for the document that holds the page."""

    def known(self, key: bytes) -> list[str] | None:
        """What is kept under ``key``."""

    def keep(self, key: bytes, value: list[str], document_id: str) -> None:
        """Keeps ``value``."""
