"""The most or the least that may be: recognises questions for it, and texts that say it. The rules are for English."""

from __future__ import annotations

import re

_ASKS = re.compile(
    r"^\W*(?:and\s+|so\s+)?what(?:'s|\s+is|\s+are|\s+was|\s+were)\s+the\s+(?:[\w-]+\s+){0,2}?(?:(?P<most>max(?:imum)?)|min(?:imum)?)\s+"
    r"(?!to\b)[\w-]",
    re.IGNORECASE,
)
_IN_WORDS = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|a\shundred)\b"
)
_NUMBER = rf"(?:[\d$\u20ac\u00a3]|{_IN_WORDS})"
_NEAR = rf"[^\w.!?]{{1,3}}(?:\w{{1,20}}[^\w.!?]{{1,3}}){{0,3}}?{_NUMBER}"
"""A number a few words behind: "must be 21", not "must be cleaned"."""
_SAYS_ANY = (
    r"|\b(?:limit|exceed|range|restrict|bound|unlimited)\w*"
    rf"|\b(?:(?:accept|allow|default|permit|support)\w*|cannot|can't|can\s+not|may\s+not|must|only|within){_NEAR}"
    r"|\bbetween\s+(?:[a-z]{1,12}\s+)?[$\u20ac\u00a3]?\d|\d\s?(?:[-\u2013]|\.\.|to)\s?\d|[<>\u2264\u2265]"
)
_MORE = r"(?:more|longer|larger|bigger|greater|higher|later|newer|older|heavier|above|over)"
_LESS = r"(?:less|shorter|smaller|lower|fewer|earlier|younger|lighter|below|under)"
_SAYS_MOST = re.compile(
    rf"max|\bat\s+(?:the\s+)?most\b|\bup\s+to\b|\b(?:no|nobody|none|not|never)\s+(?:\w+\s+)?{_MORE}\b|\b{_LESS}\b|\bcap(?:ped|s|acity)?\b"
    r"|\b(?:ceiling|upper|largest|highest|biggest|longest|most)\b|\bas\s+(?:many|much)\s+as\b"
    rf"|\b(?:full|holds?|room|seats?|sleeps?|takes?|top|until){_NEAR}{_SAYS_ANY}",
    re.IGNORECASE,
)
_SAYS_LEAST = re.compile(
    rf"min\b|minim|\b(?:at\s+)?(?:the\s+)?least\b|\b(?:no|nobody|none|not|never)\s+(?:\w+\s+)?{_LESS}\b|\b{_MORE}\b|\d\+"
    r"|\b(?:lowest|smallest|shortest|fewest|lower|earliest|oldest)\b"
    rf"|\b(?:from|since|(?:need|requir|start)\w*){_NEAR}{_SAYS_ANY}",
    re.IGNORECASE,
)

_COUNTED = re.compile(r"number\s+of\s+(?:[\w-]+\s+){0,2}?([\w-]{2,30}s)\b", re.IGNORECASE)
_ANY_COUNT = re.compile(
    r"\bnumbers?\s+of\b|\bcounts?\b|\bmany\b|\bunlimited\b|\bno\s+(?:\w+\s)?limit\b"
    r"|\b(?:at\s+most|(?:at|is|of|to)|max\.?|(?:more|fewer)\s+than)\s\d{1,9}(?:[.,]\d{3})*(?:[.,;)]?\s*$|[.;]\s)",
    re.IGNORECASE | re.MULTILINE,
)
"""What says how many there may be, whatever is counted: "at most 9."."""


def lacks_limit(question: str, text: str) -> bool:
    """Return whether a question asks for the most or the least of something, and a text says neither of anything.

    Another number of it may be near: the boats that wait are not the most that may wait.
    """
    asked = _ASKS.match(question)
    if asked is None:
        return False
    if (_SAYS_MOST if asked["most"] else _SAYS_LEAST).search(text) is None:
        return True
    counted = _COUNTED.match(question, asked.end() - 1)
    return counted is not None and not _says_count(counted[1], text)


def _says_count(things: str, text: str) -> bool:
    """Return whether a text says how many of some things there may be, and not only how long or large one may be."""
    stem = re.escape(things.lower().removesuffix("s").removesuffix("ie"))
    near = rf"(?:\d|\b{_IN_WORDS})\s(?:[\w-]{{1,30}}\s){{0,3}}?{stem}|\b{stem}\w{{0,4}}\W{{1,3}}(?:\d|{_IN_WORDS})"
    return _ANY_COUNT.search(text) is not None or re.search(near, text, re.IGNORECASE) is not None
