"""Whether two questions ask the same, so that the answer to one answers the other.

Two vectors do not tell: "the fee for students" and "the fee for foreign students" are as close to each other as two
wordings of one question, and so are "what is" and "what is not". So every word counts: names, numbers and denials, and
all others. Those of the one must be those of the other, in their order, but for a plural's ending, articles, polite
phrases, and a phrase that moved from one end to the other ("In 1901, how many ..."). What two vectors do tell is
whether words that differ by such an ending are the same, as "good" and "goods" are not. docs/benchmarks.md has figures.

Phrases, articles and forms of verbs are known in English. In other languages their words count as all others do.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TypeAlias

from pipelines.query.terms import Terms

Words: TypeAlias = tuple[object, ...]

_WORD = re.compile(r"[^\s?!.,;:\u2026\"\u201c\u201d()]+")
_LAST = " ?!.\u2026"
_FACTORIAL = re.compile(r"(?:\d|\b[a-z]|[)\]])$")
"""What a factorial may be of: a number, a letter or brackets."""
_ENDS = "'\u2018\u2019-"
_DASHES = re.compile(r"^-+(?!\d)")
"""What is no sign of a number."""
_ASKS = "are|can|could|do|does|explain|how|is|may|should|tell|was|were|what|when|where|which|who|whose|why|will|would"
_POLITE = re.compile(
    rf"""^(?:(?:hi|hello|hey|dear\s+all|ok(?:ay)?|so|well|and|please|excuse\s+me)
            (?:\s*[,.!:][\s,.!:]*|\s+(?=(?:{_ASKS}|i|we|please|so|and|well|hi|hello|hey)\b)))+
        |(?<!\S)(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?(?:tell|explain\s+to)\s+(?:me|us)
            |(?:i|we)(?:\s+would|['\u2019]d)\s+like\s+to\s+know|(?:i|we)\s+(?:want|need)\s+to\s+know
            |do\s+you\s+know|(?:please\s+)?tell\s+(?:me|us))\b[\s,:]*
        |(?:(?<![\s,])[\s,]+)?(?<!\w)(?:please|thanks|thank\s+you)[\s.!?]*$""",
    re.VERBOSE | re.IGNORECASE,
)
_NOT = re.compile(r"(?<=\w)n['\u2019]t\b|(?<=\bcan)not\b", re.IGNORECASE)
_IS = re.compile(r"\b(what|who|where|when|how|why|there|it|that|they)['\u2019](?:s|re)\b", re.IGNORECASE)
_ARTICLES = frozenset(("a", "an", "the"))
_FORMS = {"does": "do", "are": "is", "were": "was", "has": "have"}


def normalise_spelling(question: str) -> str:
    """Return the question without surrounding blanks, signs at its end, and the case of its first letter.

    The sign of a factorial stays.
    """
    spelt = " ".join(unicodedata.normalize("NFC", question).split())
    words = spelt.rstrip(_LAST) or question.strip()
    if _FACTORIAL.search(words) and spelt[len(words) :].startswith("!"):
        words += "!"
    return words[:1].lower() + words[1:]


def bare(question: str) -> str:
    """Return the question without polite phrases."""
    return " ".join(_POLITE.sub(" ", question).split()) or question


def question_words(question: str, terms: Terms) -> Words:
    """Return the words of a bare question that count, in order.

    Args:
        question: What is asked.
        terms: The terms of a text (stemmed, without stop words), as ids.
    """
    plain = _IS.sub(r"\1 is", _NOT.sub(" not", question))
    shouted = plain.isupper()
    words = [word for found in _WORD.findall(plain) if (word := _without_ends(found))]
    # "plan A", and "a" where nothing follows, are names and no articles
    names = {at for at, word in enumerate(words) if at and word == "A" and not shouted} | {len(words) - 1}
    counted = (word for at, word in enumerate(words) if at in names or word.lower() not in _ARTICLES)
    return tuple(_counted(word, terms, shouted) for word in counted)


def same_question(one: Words, other: Words) -> bool:
    """Return whether two questions are of the same words, in the same order from some word on."""
    if len(one) != len(other):
        return False
    return one == other or any(one[at:] + one[:at] == other for at in range(1, len(one)))


def _without_ends(word: str) -> str:
    return _DASHES.sub("", word.rstrip(_ENDS).lstrip(_ENDS.removesuffix("-")))


def _counted(word: str, terms: Terms, shouted: bool) -> object:
    """Return what a word counts as: its stem with itself in the singular, or itself where it is no plain word or has
    none.
    """
    lower = word.casefold()
    if not word.isalpha():
        return lower  # C++ is not C#
    if word == "US" and not shouted:
        return word  # it is not us
    if stem := terms(word):  # alone it is too little: reasons are not reasonable
        return stem, re.sub("y$", "i", lower.removesuffix("s").removesuffix("e"))
    if word.isupper() and len(word) > 1 and not shouted:
        return word  # WHO is not who
    return _FORMS.get(lower, lower)
