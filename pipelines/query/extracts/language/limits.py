"""The most or the least that may be: recognises questions for it, and texts that say it. The rules are for English."""

from __future__ import annotations

import re

_ASKS = re.compile(
    r"^\W*(?:and\s+|so\s+)?what(?:'s|\s+is|\s+are|\s+was|\s+were)\s+the\s+(?:[\w-]+\s+){0,2}?(?:(?P<most>max(?:imum)?)|min(?:imum)?)\s+"
    r"(?!to\b)[\w-]",
    re.IGNORECASE,
)
_SAYS_ANY = (
    r"|\b(?:limit|exceed|range|restrict|bound|unlimited|allow|permit|accept|support|only|default|within)\w*"
    r"|\bbetween\s+(?:[a-z]{1,12}\s+)?[$\u20ac\u00a3]?\d"
    r"|\b(?:cannot|can't|can\s+not|must|may\s+not)\b|\d\s?(?:[-\u2013]|\.\.|to)\s?\d|[<>\u2264\u2265]"
)
_MORE = r"(?:more|longer|larger|bigger|greater|higher|later|older|heavier|above|over)"
_LESS = r"(?:less|shorter|smaller|lower|fewer|earlier|younger|lighter|below|under)"
_SAYS_MOST = re.compile(
    rf"max|\bat\s+(?:the\s+)?most\b|\bup\s+to\b|\b(?:no|not|never)\s+(?:\w+\s+)?{_MORE}\b|\b{_LESS}\b|\bcap(?:ped|s|acity)?\b"
    r"|\b(?:ceiling|upper|top|largest|highest|biggest|longest|most|full|until|hold|seat|room)\w*|\bas\s+(?:many|much)\s+as\b"
    + _SAYS_ANY,
    re.IGNORECASE,
)
_SAYS_LEAST = re.compile(
    rf"min\b|minim|\b(?:at\s+)?(?:the\s+)?least\b|\b(?:no|not|never)\s+(?:\w+\s+)?{_LESS}\b|\b{_MORE}\b|\b(?:lowest|smallest|shortest"
    r"|fewest|lower|from|start|need|requir|new|since|earliest|oldest)\w*|\d\+" + _SAYS_ANY,
    re.IGNORECASE,
)


def lacks_limit(question: str, text: str) -> bool:
    """Return whether a question asks for the most or the least of something, and a text says neither of anything.

    Another number of it may be near: the boats that wait are not the most that may wait.
    """
    asked = _ASKS.match(question)
    if asked is None:
        return False
    return (_SAYS_MOST if asked["most"] else _SAYS_LEAST).search(text) is None
