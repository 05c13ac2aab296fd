"""Whether one text denies what another says: a word that is negated in one and stands unnegated in the other."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

Terms = Callable[[str], frozenset[int]]

_CUE = re.compile(
    r"""\b(?:not|no|never|neither|nor|none|nobody|nothing|nowhere|without|cannot|hardly|rarely|seldom
        |lacks?|lacking|fail(?:s|ed)?\ to|unable\ to|instead\ of|rather\ than)\b|n['\u2019]t\b""",
    re.VERBOSE | re.IGNORECASE,
)
_NO_CUE = re.compile(r"\b(?:not\s+only|no\s+(?:more|less|fewer|later|earlier)\s+than|no\.\s*\d)", re.IGNORECASE)
_SCOPE_END = re.compile(r"[,;:.!?()]|\b(?:but|however|although|because|while|whereas|unless|if)\b", re.IGNORECASE)
_SCOPE_WORDS = 3
_SCOPE_CHARS = 300  # in which so many words stand; a table can be one sentence
_SAME = 0.85
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Polarity:
    """The terms of a text, and for each negation in it the first terms that it negates."""

    terms: frozenset[int]
    denied: tuple[frozenset[int], ...]

    def contradicts(self, other: Polarity) -> bool:
        """Return whether most of what a negation in one of the two denies is stated in the other, and denied nowhere
        in it.

        Of two texts in nearly the same words, one with more negations than the other contradicts it anyhow.
        """
        if self._says_the_same_as(other) and len(self.denied) != len(other.denied):
            return True
        return self._is_denied_by(other) or other._is_denied_by(self)

    def _says_the_same_as(self, other: Polarity) -> bool:
        return len(self.terms & other.terms) >= _SAME * max(len(self.terms), len(other.terms), 1)

    def _is_denied_by(self, other: Polarity) -> bool:
        mine = frozenset[int]().union(*self.denied)
        return any(
            (shared := scope & self.terms) and len(shared) * 2 >= len(scope) and not shared & mine
            for scope in other.denied
        )


def polarity(text: str, terms: Terms) -> Polarity:
    """Return what a text says and denies, in the terms (stemmed, without stop words) that ``terms`` finds."""
    plain = _NO_CUE.sub(" ", text)
    return Polarity(terms(plain), tuple(_scope(plain, found.end(), terms) for found in _CUE.finditer(plain)))


def _scope(text: str, start: int, terms: Terms) -> frozenset[int]:
    rest = text[start : start + _SCOPE_CHARS]
    end = _SCOPE_END.search(rest)
    scope: list[int] = []
    for word in _WORD.findall(rest[: end.start()] if end else rest):
        scope += terms(word)
        if len(scope) >= _SCOPE_WORDS:
            break
    return frozenset(scope)


def negates(text: str) -> bool:
    """Return whether there is a negation in a text."""
    return _CUE.search(_NO_CUE.sub(" ", text)) is not None
