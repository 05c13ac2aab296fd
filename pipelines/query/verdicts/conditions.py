"""What a source restricts: "free unless you are over 26" is not free, and "open daily except Sunday" not on Sundays."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelines.components.sentences import sentence_spans
from pipelines.query.terms import Terms
from pipelines.query.verdicts.polarity import negates

_EXCEPT = r"(?:except|apart\s+from)\b"
_IF = r"(?<!even\s)(?<!as\s)(?<!see\s)(?<!check\s)(?<!know\s)(?<!ask\s)(?<!asks\s)(?<!tell\s)\bif\b"
_ONLY = r"only\s+(?:if|when|with|after|on|for|in|at|during|from|by|under|upon)\b"
_RESTRICTS = rf"(?:{_EXCEPT}|unless\b|{_ONLY}|{_IF}|(?:provided\s+that|as\s+long\s+as)\b)"
_BEHIND = re.compile(rf"(?P<main>.+?)[\s,(]+(?P<restriction>{_RESTRICTS}[^;]*)", re.IGNORECASE | re.DOTALL)
_BEFORE = re.compile(rf"\W*(?P<restriction>{_RESTRICTS}[^,;]*),(?P<main>[^;]+)", re.IGNORECASE)
_IS_EXCEPTION = re.compile(_EXCEPT, re.IGNORECASE)
_LIMITS = rf"{_RESTRICTS}|\b(?:if|only|but|when|without|excluding|besides|other|otherwise)\b"
_LIMITED = re.compile(_LIMITS, re.IGNORECASE)
_RESTRICTED = re.compile(
    rf"{_LIMITS}|\b(?:must|needs?|requires?|most(?:ly)?|some|usually|generally|normally|by\s+default)\b", re.IGNORECASE
)
_MAY = r"\s+(?P<may>can|may|must|should|will|is|are|has|have)\s+(?P<what>.+)"
_ONLY_THESE = re.compile(rf"\W*only\s+(?P<who>[^,;:.!?]{{1,80}}?){_MAY}", re.IGNORECASE | re.DOTALL)
_ALL_OF_THEM = re.compile(
    rf"\W*(?P<who>(?:all|every|each|any|everyone|everybody|anyone|anybody)\b[^,;:.!?]{{0,80}}?){_MAY}",
    re.IGNORECASE | re.DOTALL,
)
_SAME_STEM = 4  # letters: "admins" are "administrators"
_WORD = re.compile(r"[^\W_]+")
_RESTATED = 0.8  # of a claim's terms, in what is restricted
_MOST_CHARS = 600  # of a sentence; tables can be one


def left_out(claim: str, passage: str, terms: Terms) -> str | None:
    """Return the condition or exception of a passage that a claim leaves out, and that restricts what it says."""
    claimed = terms(claim)
    if not claimed or _RESTRICTED.search(claim):
        return None
    for main, restriction in _restrictions(passage):
        stated = terms(main)
        begins, excepted = _excepted(restriction, stated, terms)
        other = begins or terms(restriction) - stated
        if other and not claimed & other and len(claimed & (stated | excepted)) >= _RESTATED * len(claimed):
            return " ".join(restriction.split()).rstrip(" .!)")
    return None


def is_excepted(claim: str, passage: str, terms: Terms) -> bool:
    """Return whether a claim says of an exception what a passage says of the rest, or denies it of that."""
    claimed = terms(claim)
    if _LIMITED.search(claim):
        return False
    for main, restriction in _restrictions(passage):
        exception, _, behind = restriction.partition(",")
        stated = terms(f"{main} {behind}")
        begins, excepted = _excepted(exception, stated, terms)
        if begins & claimed and claimed - excepted <= stated and not negates(main):
            return True
    return False


def is_reserved(claim: str, passage: str, terms: Terms) -> bool:
    """Return whether a claim says of all what a passage says only of some: "Only admins can delete files"."""
    claimed = _ALL_OF_THEM.match(claim)
    if claimed is None or negates(claim):
        return False
    stems = {word[:_SAME_STEM].lower() for word in _WORD.findall(claimed["who"])}
    for start, end in sentence_spans(passage):
        stated = _ONLY_THESE.match(passage[start:end][:_MOST_CHARS])
        if stated is None or {word[:_SAME_STEM].lower() for word in _WORD.findall(stated["who"])} & stems:
            continue
        what = terms(claimed["what"])
        if what and len(what & terms(stated["what"])) >= _RESTATED * len(what):
            return True
    return False


def _excepted(restriction: str, stated: frozenset[int], terms: Terms) -> tuple[frozenset[int], frozenset[int]]:
    """Return the first word of an exception, and all; none where it is a condition.

    Only the first tells: in "All except cats like water" the rest is said of all others.
    """
    if not _IS_EXCEPTION.match(restriction):
        return frozenset(), frozenset()
    words = [terms(word) - stated for word in _WORD.findall(_IS_EXCEPTION.sub("", restriction))]
    return next(filter(None, words), frozenset()), frozenset[int]().union(*words)


def _restrictions(passage: str) -> Iterator[tuple[str, str]]:
    """Yield what a sentence says and what restricts it, for each that does."""
    for start, end in sentence_spans(passage):
        sentence = passage[start:end][:_MOST_CHARS]
        found = _BEFORE.match(sentence) or _BEHIND.match(sentence)
        if found is not None:
            yield found["main"], found["restriction"]
