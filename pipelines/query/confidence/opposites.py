"""Words that say the opposite of each other: a question about "before" is not answered by what came after."""

from __future__ import annotations

import re

_PAIRS = (
    "before/after, prior/after, more/less, more/fewer, most/least, most/fewest, increase/decrease, increase/reduce, "
    "rise/fall, grow/shrink, high/low, larger/smaller, large/small, big/small, longer/shorter, long/short, "
    "faster/slower, fast/slow, older/younger, old/new, earlier/later, early/late, first/last, begin/end, start/stop, "
    "start/end, open/close, enter/leave, win/lose, gain/lose, buy/sell, allow/forbid, allow/prevent, enable/disable, "
    "enable/prevent, cause/prevent, require/forbid, accept/reject, include/exclude, add/remove, maximum/minimum, "
    "strong/weak, strengthen/weaken, help/hinder, improve/worsen, good/bad, better/worse, best/worst, hot/cold, "
    "warm/cold, heavy/light, hard/soft, wet/dry, full/empty, public/private, internal/external, inside/outside, "
    "upper/lower, above/below, over/under, left/right, north/south, east/west, northern/southern, eastern/western, "
    "male/female, always/never, common/rare, often/rarely, same/different, independent/dependent, safe/dangerous, "
    "positive/negative, success/failure, succeed/fail, advantage/disadvantage, legal/illegal, possible/impossible, "
    "produce/consume, attack/defend, unite/divide, support/oppose"
)
_ENDINGS = ("", "s", "es", "d", "ed", "ing", "ly")
_WORD = re.compile(r"[^\W\d_]+")


def _with_endings() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.split(", "):
        one, other = pair.split("/")
        for word, opposite in ((one, other), (other, one)):
            for form in _forms(word):
                found.setdefault(form, set()).update(_forms(opposite))
    return {word: frozenset(opposites) for word, opposites in found.items()}


def _forms(word: str) -> set[str]:
    stem = word.removesuffix("e")
    return {word + ending for ending in _ENDINGS} | {stem + ending for ending in ("ed", "ing")}


_OPPOSITES = _with_endings()


def says_opposite(question: str, text: str) -> bool:
    """Return whether ``text`` lacks a word of the question and has one that says the opposite of it."""
    asked, told = ({word.lower() for word in _WORD.findall(one)} for one in (question, text))
    return any(word not in told and _OPPOSITES[word] & told for word in asked if word in _OPPOSITES)
