"""Matches a name that a person or a model wrote to one of the values that documents have."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable

_WORD = re.compile(r"[^\W_]+")
_ASIDE = re.compile(r"\([^()]*\)")
_NEARLY = 0.9
"""Similarity from which spellings mean the same: a plural, two letters swapped, but not another name."""


def match_value(name: str, known: Iterable[str], beside: Collection[str] = ()) -> str | None:
    """Return the one of ``known`` that ``name`` means; None if it means none or several.

    Case, accents, punctuation and parentheses are ignored. The first words of a value mean it if no other value begins
    with them, and so does a similar spelling.

    Args:
        name: A name, as somebody wrote it.
        known: The values.
        beside: Words that may stand with a name and mean nothing, in lower case.
    """
    by_words = {" ".join(_words(value)): value for value in known}
    words = _words(_ASIDE.sub(" ", name))
    whole, bare = " ".join(words), " ".join(word for word in words if word not in beside)
    for wording in (whole, bare):
        if wording in by_words:
            return by_words[wording]
    begun = [value for text, value in by_words.items() if bare and text.startswith(f"{bare} ")]
    near = [by_words[text] for text in difflib.get_close_matches(bare, by_words, n=2, cutoff=_NEARLY)]
    found = begun or near
    return found[0] if len(found) == 1 else None


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return _WORD.findall("".join(character for character in plain if not unicodedata.combining(character)))
