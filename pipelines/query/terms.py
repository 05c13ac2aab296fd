"""The terms of a text: its words, stemmed and without stop words, as numbers."""

from __future__ import annotations

from collections.abc import Callable

Terms = Callable[[str], frozenset[int]]
