"""Whether a text says where a name comes from, for questions that ask it."""

from __future__ import annotations

import re

_ASKS = re.compile(
    r"\bwhere\s+(?:does|did)\b.{0,60}\bname\b.{0,60}\bcomes?\s+from\b"
    r"|\bhow\s+did\b.{0,60}\bget\s+(?:its|their|his|her|the)\s+names?\b(?!\s+of\b)"
    r"|\bwhy\s+(?:is|are|was|were)\b.{0,60}\b(?:called|named)\s+"
    r"(?!(?:again|as|at|back|before|by|during|each|every|first|for|from|in|last|more|multiple|off|on|once|only|out|over"
    r"|repeatedly|several|so\s+\w|there|three|to|too|twice|two|up|when|with|without)\b)[\"'\u2018\u201c]?\w"
    r"|\bnamed\s+after\W*$|\borigins?\s+of\s+the\s+name\b",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\bnamed\s+(?:after|for|from|in\s+hono)|\bnames?\s+(?:(?:itself|of\s+\S+|\S+)\s+)?(?:because|came|comes?|combin\w+|deriv\w+"
    r"|from|is|means?|meant|goes|originat\w*|refers?|stands?|was)\b|\b(?:short|stands?|stood)\s+for\b|\bbecause\b"
    r"|\b(?:term|word)s?\s+for\b|\bowes?\b.{0,40}\bnames?\s+to\b|\b(?:came|comes|coming|derived|derives)\s+from\b"
    r"|\bin\s+(?:honou?r|memory)\s+of\b"
    r"|(?-i:\b[A-Z][a-z]+(?:an|ch|ek|ese|ic|in|ish|se|sh))\s+for\b"
    r"|\b(?:abbreviation|acronym|allusion|homage|nickname\w*|portmanteau|pun|reference|tribute)\b|\b(?:called|known\s+as|referr\w+\s+to)\b",
    re.IGNORECASE,
)


def lacks_origin(question: str, text: str) -> bool:
    """Return whether a question asks where a name comes from, and a text does not say it."""
    return _ASKS.search(question) is not None and _TELLS.search(text) is None
