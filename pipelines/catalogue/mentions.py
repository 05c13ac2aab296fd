"""Whether a stored question repeats a document that is purged: by one of its names, or word for word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

_RUN = 6
"""Words in a row that a question must share with the document's text."""
_SHORTEST_NAME = 4
_WORD = re.compile(r"\w+")


class Mentions:
    """A document's names (ids, titles, sources, file names) and the runs of six words of its texts."""

    def __init__(self, names: Iterable[str], texts: Iterable[str]) -> None:
        spelled = {_plain(part) for name in names for part in (name, _file_name(name))}
        self._names = sorted(name for name in spelled if len(name) >= _SHORTEST_NAME)
        self._runs = {hash(run) for text in texts for run in _runs(text)}

    def found_in(self, *texts: str | None) -> bool:
        """Return whether one of ``texts`` holds a name of the document or six words in a row of it."""
        return any(self._is_named(text) or self._is_quoted(text) for text in texts if text)

    def _is_named(self, text: str) -> bool:
        plain = _plain(text)
        return any(name in plain for name in self._names)

    def _is_quoted(self, text: str) -> bool:
        return any(hash(run) in self._runs for run in _runs(text))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _file_name(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).name


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return zip(*(words[start:] for start in range(_RUN)), strict=False)
