"""Everyday words for what manuals and rules say otherwise: "by hand" for "manually", "turn off" for "disable".

The rules are for English.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pipelines.query.question_types import KEPT_QUESTIONS

_SAME = (
    r"by\s+hand|manually",
    r"automatic(?:ally)?|by\s+(?:itself|themselves)|(?:on|of)\s+(?:its|their)\s+own(?:\s+accord)?",
    r"(?:turn|switch)(?:s|es|ed|ing)?(?:\s+\w+){0,3}?\s+off|disabl(?:e[sd]?|ing)|deactivat(?:e[sd]?|ing)",
    r"(?:turn|switch)(?:s|es|ed|ing)?(?:\s+\w+){0,3}?\s+on|enabl(?:e[sd]?|ing)|activat(?:e[sd]?|ing)",
    r"(?:at|on|during)\s+(?:boot|startup|start-up)|boot(?:s|ed|ing)?\s+up|start(?:s|ed|ing)?\s+up"
    r"|when\s+(?:an?|the|your)\s+(?:\w+\s+)?(?:computer|device|machine|server|system)\s+(?:boots|starts)",
    r"delet(?:e[sd]?|ing)|remov(?:e[sd]?|ing)|eras(?:e[sd]?|ing)|g[eo]t(?:ting|s)?\s+rid\s+of"
    r"|throw(?:s|n|ing)?\s+(?:\w+\s+){0,3}?away|discard(?:s|ed|ing)?",
    r"forbid(?:s|den)?|prohibit(?:s|ed)?|ban(?:s|ned)|not\s+(?:allowed|permitted)",
    r"(?<=-\w\s)(?:argument|flag|parameter|switch)|options?",
    r"sym-?links?|symbolic\s+links?",
    r"built[\s-]?in|pre-?set|pre-?defined",
    r"terminat(?:e[sd]?|ing|ion)|cancel(?:s|l?ed|l?ing|lation)?|(?:giv(?:e[ns]?|ing)|gave)\s+(?:\w+\s+)?notice",
    r"fines?|penalt(?:y|ies)",
    r"(?:(?:identity|travel)\s)?papers|documents?",
    r"photo(?:graph)?(?:s|ed|ing)?|pictures?",
    r"kids?|child(?:ren)?",
    r"bik(?:es?|ing)|bicycles?",
    r"fridges?|refrigerators?",
    r"jabs?|shots?|injections?|vaccin(?:es?|ations?)",
    r"(?:phone|telephone|ring)(?:s|d|ed|ing)?|call(?:s|ed|ing)?",
    r"shut(?:s|ting)?|clos(?:e[sd]?|ing)",
    r"bills?|invoices?",
    r"compan(?:y|ies)|firms?|contractors?",
    r"compan(?:y|ies)|firms?|suppliers?",
    r"broken|out\s+of\s+order|does(?:n['\u2019]t|\s+not)\s+work|defects?|defective",
    r"repair(?:s|ed|ing)?|fix(?:es|ed|ing)?|mend(?:s|ed|ing)?",
    r"rubbish|garbage|trash|waste",
    r"doctors?|physicians?|GPs?",
    r"begin(?:s|ning)?|began|start(?:s|ed|ing)?|commenc(?:e[sd]?|ing)",
    r"finish(?:es|ed|ing)?|end(?:s|ed|ing)?",
    r"reimburs(?:e[sd]?|ement)|refund(?:s|ed|ing)?|(?:paid|pay|pays|get|gets)\s+(?:\w+\s+){0,3}?back",
)
"""Expressions that say the same, each with the inflections that it has."""
_GROUPS = tuple(re.compile(rf"\b(?:{same})\b", re.IGNORECASE) for same in _SAME)


def with_paraphrases(question: str, text: str) -> str:
    """Return a text with the words of the question behind it that it says in other words."""
    asked = _asked(question)
    said = [words for group, words in asked if group.search(text)]
    return " ".join((text, *said)) if said else text


@lru_cache(KEPT_QUESTIONS)
def _asked(question: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the expressions of a question for which there are others, with all of these."""
    return tuple((group, found[0]) for group in _GROUPS if (found := group.search(question)))
