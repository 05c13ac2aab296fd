"""Questions for the most or the least of things, "Which boat is the fastest?", and texts that say it. For English."""

from __future__ import annotations

import re

_ASKS = re.compile(
    r"\b(?:which|what|who)\b[^?\n]{1,100}?\s(?:is|are|was|were)\s+the\s+"
    r"(?!(?:earliest|latest|nearest|newest|oldest|rest|test|west|east)\b)"
    r"(?:(?P<short>best|worst|[a-z]{2,20}(?=est\b))(?:est)?|(?:most|least)\s+(?P<long>[a-z]{3,30}))"
    r"(?:\s+(?:at|for|in|of|on|to|with)\s[^?\n]{1,80})?\W*$",
    re.IGNORECASE,
)
_OTHERWISE = {
    "best": "better|recommend|prefer|ideal|suit|favou?rite",
    "big": "size|large|\\d",
    "cheap": "cost|price|fee|free|expensive|dear|[$\u20ac\u00a3]",
    "dear": "cost|price|fee|expensive|[$\u20ac\u00a3]",
    "deep": "depth|\\d",
    "fast": "speed|quick|slow|perform|latency|rapid|\\d\\s?(?:ms|s|seconds?|minutes?)\\b",
    "heavy": "weigh|\\d",
    "high": "height|tall|top|\\d",
    "large": "size|big|\\d",
    "long": "length|\\d",
    "small": "size|\\d",
    "worst": "worse|bad",
}
"""What says the same as an adjective."""
_LEAST = 3
"""Letters of an adjective that a text has to have."""


def lacks_superlative(question: str, text: str) -> bool:
    """Return whether it is asked which thing is the most or the least so, and a text says nothing of that kind."""
    asks = _ASKS.search(question)
    if asks is None:
        return False
    adjective = _plain((asks["short"] or asks["long"]).lower())
    stem = re.escape(adjective[: max(_LEAST, len(adjective) - 1)])
    said = "|".join(filter(None, (rf"\b{stem}", _OTHERWISE.get(adjective))))
    return re.search(said, text, re.IGNORECASE) is None


def _plain(stem: str) -> str:
    """Return the adjective of what stands before "est": "big" of "bigg", "heavy" of "heavi", "large" of "larg"."""
    if stem[-1] == "i":
        return f"{stem[:-1]}y"
    if stem[-1] == stem[-2] and stem[-1] not in "ls":
        return stem[:-1]
    return f"{stem}e" if f"{stem}e" in _OTHERWISE else stem
