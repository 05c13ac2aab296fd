"""Matches a name that a person or a model wrote to one of the values that documents have."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence

_WORD = re.compile(r"[^\W_]+")
_ASIDE = re.compile(r"\([^()]*\)|['\u2019]s\b", re.IGNORECASE)
_SERIAL = re.compile(r"\d+(?:[^\W\d_]\b)?|\b(?:[^\W\d_]|[ivx]+)\b")
"""Numbers, single letters and Roman numerals, which tell neighbours apart: "invoices 2023", "hepatitis B"."""
_NEARLY = 0.9
"""Similarity from which spellings mean the same: a plural, two letters swapped, but not another name."""


def match_value(name: str, known: Iterable[str], beside: Collection[str] = ()) -> str | None:
    """Return the one of ``known`` that ``name`` means; None if it means none or several.

    The very value comes first, then the same but for case. Else accents, punctuation and parentheses are ignored, too.
    The first words of a value mean it if no other value begins with them, and so does a similar spelling with the same
    numbers.

    Args:
        name: A name, as somebody wrote it.
        known: The values.
        beside: Words that may stand with a name and mean nothing, in lower case.
    """
    values = list(dict.fromkeys(known))
    if name in values:
        return name
    worded = [(value, " ".join(_words(value))) for value in values]
    words = _words(_ASIDE.sub(" ", name))
    whole, bare = " ".join(words), " ".join(word for word in words if word not in beside)
    cased = [value for value in values if value.casefold() == name.strip().casefold()]
    for found in (cased, _same(whole, worded), _same(bare, worded), _begun(bare, worded)):
        if found:
            return found[0] if len(found) == 1 else None
    near = _near(bare, worded)
    return near[0] if len(near) == 1 else None


def _same(wording: str, worded: Iterable[tuple[str, str]]) -> list[str]:
    return [value for value, words in worded if words == wording and words]


def _begun(wording: str, worded: Iterable[tuple[str, str]]) -> list[str]:
    return [value for value, words in worded if wording and words.startswith(f"{wording} ")]


def _near(wording: str, worded: Sequence[tuple[str, str]]) -> list[str]:
    """Return the values that are spelt nearly like a wording, and have its numbers."""
    serials = _SERIAL.findall(wording)
    texts = {words for _, words in worded if words and _SERIAL.findall(words) == serials}
    near = difflib.get_close_matches(wording, texts, n=2, cutoff=_NEARLY)
    return [value for value, words in worded if words in near]


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return _WORD.findall("".join(character for character in plain if not unicodedata.combining(character)))
