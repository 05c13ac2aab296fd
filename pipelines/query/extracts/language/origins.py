"""Whether a text says where a name comes from, for questions that ask it."""

from __future__ import annotations

import re

_ASKS = re.compile(
    r"\bwhere\s+(?:does|did)\b.{0,60}\bname\b.{0,60}\bcomes?\s+from\b"
    r"|\bhow\s+did\b.{0,60}\bget\s+(?:its|their|his|her|the)\s+names?\b"
    r"|\bwhy\s+(?:is|are|was|were)\b.{0,60}\b(?:called|named)\b|\bnamed\s+after\W*$|\borigins?\s+of\s+the\s+name\b",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\bnamed\s+(?:after|for|from|in\s+hono)|\bnames?\s+(?:(?:itself|of\s+\S+|\S+)\s+)?(?:because|came|comes?|combin\w+|deriv\w+"
    r"|from|is|means?|meant|originat\w*|refers?|stands?|was)\b|\b(?:short|stands?|stood)\s+for\b|\bderiv(?:ed|es)\s+from\b|\bbecause\b"
    r"|\b(?:abbreviation|acronym|allusion|homage|portmanteau|pun|tribute)\b|\b(?:called|known\s+as|referr\w+\s+to)\b",
    re.IGNORECASE,
)


def lacks_origin(question: str, text: str) -> bool:
    """Return whether a question asks where a name comes from, and a text does not say it."""
    return _ASKS.search(question) is not None and _TELLS.search(text) is None
