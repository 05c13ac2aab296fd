"""Which of the values that documents have a text means: what people and models write is matched, not trusted."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable

_WORD = re.compile(r"[^\W_]+")
_ASIDE = re.compile(r"\([^()]*\)")
_NEARLY = 0.9
"""Likeness of spellings that are taken for one: plurals and two letters swapped, but not another name."""


def named_value(said: str, known: Iterable[str], beside: Collection[str] = ()) -> str | None:
    """The one of ``known`` that ``said`` names; None where there is none, or it could be several.

    Case, accents, punctuation and what stands in parentheses do not count. A value is also named by its first words,
    where no other value begins so, and by a spelling that is nearly its own.

    Args:
        said: A name, as somebody wrote it.
        known: The values.
        beside: Words that may stand with a name and mean nothing, in lower case.
    """
    by_words = {" ".join(_words(value)): value for value in known}
    words = _words(_ASIDE.sub(" ", said))
    whole, bare = " ".join(words), " ".join(word for word in words if word not in beside)
    for wording in (whole, bare):
        if wording in by_words:
            return by_words[wording]
    begun = [value for name, value in by_words.items() if bare and name.startswith(f"{bare} ")]
    near = [by_words[name] for name in difflib.get_close_matches(bare, by_words, n=2, cutoff=_NEARLY)]
    found = begun or near
    return found[0] if len(found) == 1 else None


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return _WORD.findall("".join(character for character in plain if not unicodedata.combining(character)))
