"""What the name of a file says of a document beyond its title."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath

from pipelines.reading.formats import media_type_of
from pipelines.reading.names import stem_of

_WORD = re.compile(r"[^\W\d_]{3,}|(?<!\d)[1-9]\d{3,}")
"""A word, or the number of a thing: of an invoice, a rule or a year."""


@lru_cache(maxsize=1_000)
def unsaid_file_name(source: str, above: str) -> str:
    """Return the name of a file if a word or number of it is missing in what stands above a passage, else nothing.

    The title of ``aiohttp.rst`` is "Async HTTP client and server", and people ask about aiohttp.
    """
    name = PurePosixPath(source).name
    if media_type_of(name) is None:
        return ""
    stem, said = stem_of(name), above.lower()
    return stem if any(word.lower() not in said for word in _WORD.findall(stem)) else ""
