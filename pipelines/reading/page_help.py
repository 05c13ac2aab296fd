"""Who reads the later pages of a long file at the same time."""

from __future__ import annotations

from typing import Protocol


class PageHelper(Protocol):
    """Reads pages elsewhere, if there is room; what it cannot read, its asker reads as if it had no helper."""

    def begin(self, first: int) -> bool:
        """Have the pages from ``first`` (counted from 0) on read. Return False if nobody is free for it."""
        ...

    def pages(self) -> bytes | None:
        """Wait for these pages, as their format packs them; None: they could not be read."""
        ...
