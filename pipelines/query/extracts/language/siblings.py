"""Whether a text tells of the sibling of what a question asks about: of v1 for v2, of staging for production, of the
basic plan for the premium plan.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from pipelines.components.sentences import sentence_spans
from pipelines.query.question_types import KEPT_QUESTIONS, names_new, question_form, question_kind

_VERSION = re.compile(r"(?<![\w.])v(\d{1,3})(?![\w-]|\.\d)", re.IGNORECASE)
_ENVIRONMENT = re.compile(r"\b(?:(prod(?:uction)?)|(?:pre-?prod(?:uction)?)|staging|sandbox)\b", re.IGNORECASE)
_SOLD_AS = r"(?:edition|membership|plan|subscription|tier)s?"
_TIER = re.compile(
    r"\b(advanced|basic|bronze|business|community|enterprise|essential|family|free|gold|lite|personal|platinum|plus"
    rf"|premium|pro|professional|silver|standard|starter|student|team|ultimate)\s+(?:[a-z-]+\s+)?{_SOLD_AS}\b",
    re.IGNORECASE,
)
_NAMED_TIER = re.compile(
    r"\b(?!(?:All|An|Another|Any|Both|Current|Each|Every|Its|My|New|No|One|Other|Our|Some|That|The|These|This|What|Which"
    rf"|Your)\b)([A-Z][a-z]{{2,30}}(?:\s[A-Z][a-z]{{2,30}})?)\s{_SOLD_AS}\b"
)
"""A name before what is sold: "the General Purpose tier"."""
_CHANGED = re.compile(r"\b(?:(?:down|up)grad|chang|mov|switch)(?:e|es|ed|ing)?\b", re.IGNORECASE)
"""What tells of two of them: "upgrade from the free plan"."""
_OTHER_THAN = re.compile(
    r"\b(?:as\s+in|compared\s+(?:to|with)|differ\w*\s+from|except|from|instead\s+of|like|outside(?:\s+of)?|replac\w+"
    r"|same\s+as|than|unlike|versus|vs)\W+(?:[\w-]+\W+){0,2}(?:v\d|(?:pre-?)?prod|staging|sandbox)",
    re.IGNORECASE,
)
"""What a text about one thing says of its sibling: "Unlike v1, it weighs in grams."."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_PRONOUN = re.compile(r"\W*(?:it|its|they|their|these|this)\b", re.IGNORECASE)


def _versions(text: str) -> frozenset[str]:
    return frozenset(str(int(number)) for number in _VERSION.findall(text))


def _environments(text: str) -> frozenset[str]:
    return frozenset("production" if found[1] else found[0].lower() for found in _ENVIRONMENT.finditer(text))


def _tiers(text: str) -> frozenset[str]:
    if _CHANGED.search(text):
        return frozenset()
    known = [found[1].lower() for found in _TIER.finditer(text)]
    others = (found[1].lower() for found in _NAMED_TIER.finditer(text) if not _TIER.match(found[0]))
    return frozenset((*known, *others))


_NAMED: tuple[Callable[[str], frozenset[str]], ...] = (_versions, _environments, _tiers)


@lru_cache(KEPT_QUESTIONS)
def _asked(question: str) -> tuple[tuple[str, Callable[[str], frozenset[str]]], ...]:
    """Return the one version, environment and tier that a question names, each with what finds such in a text."""
    if question_form(question) == "comparison":
        return ()
    found = ((named(question), named) for named in _NAMED)
    return tuple((next(iter(asked)), named) for asked, named in found if len(asked) == 1)


def tells_of_sibling(question: str, shown: str, place: Sequence[str] = ()) -> bool:
    """Return whether every answering sentence of a text is about a sibling of the one thing that a question names.

    What names neither is about what the nearest of ``place`` names: the title and the headings above, outermost first.
    """
    asked = _asked(question)
    answering = _answering(question, shown) if asked else []
    return any(_all_of_others(one, named, answering, place) for one, named in asked)


def names_own(question: str, text: str) -> bool:
    """Return whether a text names the only version, environment or tier of a question."""
    return any(one in named(text) for one, named in _asked(question))


def _answering(question: str, shown: str) -> list[str]:
    """Return the sentences of a text with the most words of the question.

    If some name a new thing of the kind that is asked for, only these count.

    One that begins with "it" comes with what "it" stands for: the sentence before it.
    """
    sentences = [shown[start:end] for start, end in sentence_spans(shown)]
    kind, asked = question_kind(question), frozenset(_WORD.findall(question.lower()))
    new = [kind is not None and names_new(kind, one, question) for one in sentences]
    told = [
        (f"{before} {one}" if _PRONOUN.match(one) else one, len(asked.intersection(_WORD.findall(one.lower()))))
        for (before, one), is_new in zip(pairwise(("", *sentences)), new, strict=True)
        if is_new or not any(new)
    ]
    most = max((said for _, said in told), default=0)
    return [one for one, said in told if said == most]


def _all_of_others(
    asked: str, named: Callable[[str], frozenset[str]], sentences: Sequence[str], place: Sequence[str]
) -> bool:
    """Return whether each sentence, or the heading above it, names only siblings of the asked thing."""
    above = next((one for one in reversed(place) if named(one)), "")
    told = [one if named(one) else above for one in sentences]
    return bool(told) and all(named(one) and asked not in named(one) and not _OTHER_THAN.search(one) for one in told)
