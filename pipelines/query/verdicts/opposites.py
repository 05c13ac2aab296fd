"""Words that exclude each other: the opposite of what was asked, or of what a source says."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
_EXCLUSIVE = tuple(
    frozenset(words.split())
    for words in (
        "once twice thrice",
        "second minute hour day week month year",
        "hourly daily weekly monthly yearly",
        "morning afternoon evening night",
        "summer autumn winter",
        "on off",
        "true false",
        "required optional",
        "mandatory optional",
    )
)
"""Words of which a claim that has another one than its source says something else."""
_RISING = "increase increases increased rise rises rose risen raise raises raised grow grows grew grown"
_FALLING = (
    "decrease decreases decreased reduce reduces reduced fall falls fell fallen drop drops dropped decline declines "
    "declined shrink shrinks shrank lower lowers lowered"
)
_UP, _DOWN = frozenset(_RISING.split()), frozenset(_FALLING.split())
_PAIRS_OF_CLAIMS = (
    "approve/reject, approve/deny, approve/denied, allow/banned, allow/prohibit, allow/forbidden, allow/deny, "
    "allow/denied, permit/prohibit, permitted/prohibit, permit/forbid, permitted/forbid, permitted/forbidden, "
    "permitted/banned, permitted/denied, grant/deny, grant/denied, grant/refuse, accept/refuse, accept/decline, "
    "cover/exclude, higher/lower, stopped/start"
)
"""Not among those below, which what calibrations weigh depends on."""
_ADVERB = "ly"
_ENDINGS = ("", "s", "es", "d", "ed", "ing", _ADVERB)
_WORD = re.compile(r"[^\W\d_]+")
_SWITCHED = re.compile(
    r"\b(?:(?:turn|switch)(?:s|es|ed|ing)?(?:\s+\w+){0,3}?\s+(?P<how>on|off)|(?P<off>de)?activat(?:e[sd]?|ing|ion))\b",
    re.IGNORECASE,
)
"""What enables or disables: "turn it off", "deactivate"."""


def _with_endings(pairs: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in pairs.split(", "):
        one, other = pair.split("/")
        for word, opposite in ((one, other), (other, one)):
            for form in _forms(word):
                found.setdefault(form, set()).update(_forms(opposite))
    return {word: frozenset(opposites) for word, opposites in found.items()}


def _forms(word: str) -> set[str]:
    stem = word.removesuffix("e")
    return {word + ending for ending in _ENDINGS} | {stem + ending for ending in ("ed", "ing")}


_OPPOSITES = _with_endings(_PAIRS)
_OPPOSITES_OF_CLAIMS = _with_endings(_PAIRS_OF_CLAIMS)
_ALIKE = tuple(
    frozenset(form for word in words.split() for form in _forms(word))
    for words in (
        "begin beginning begun start",
        "end finish stop",
        "big large",
        "small little",
        "fast quick",
        "early soon",
    )
)
"""Words that say the same, in all their forms: "Begins: 9; Ends: 5" says both to "When does it start?"."""
_DENYING = "un"
_BEFORE_OR_AFTER = frozenset(("before", "prior", "after"))
_TIMED = re.compile(r"\b(before|prior\s+to|after)(?=\s+((?:[^\W\d_]+\s+){0,3}[^\W\d_]+))")
"""What comes before or after a thing, and the first words for that."""
_JOINING_WORDS = (
    "a an and any are be been can did do does each every for had has have his her in is its must my of on one our "
    "should some that the their these they this those to was we were what when who will with you your"
)
_NO_THING = frozenset(_JOINING_WORDS.split())
_STEM, _ENDING, _LONGEST = 3, 3, 30
"""Letters of the least stem of a word, of its ending, and of a word: "diving" is "dive"."""


def says_opposite(question: str, text: str) -> bool:
    """Return whether ``text`` lacks a word of the question, in every form of it, and has one that says the opposite.

    "Opens at 9 and closes at 5" says both to "When does it open?".
    """
    asked, words = map(_said, (question, text))
    return any(
        _opposites(word) & words
        and _inflections(word).isdisjoint(words)
        and not any(word in alike and alike & words for alike in _ALIKE)
        and (word not in _BEFORE_OR_AFTER or _share_thing(word, question, text))
        for word in asked - words
    )


def _inflections(word: str) -> set[str]:
    """Return the forms of a word that end otherwise: "opens", "opened" and "opening" of "open".

    Not that with "ly", which is another word: "likely" of "like".
    """
    stems = {word.removesuffix(ending) for ending in _ENDINGS if ending != _ADVERB}
    forms = {form for stem in stems if len(stem) >= _STEM for base in (stem, f"{stem}e") for form in _forms(base)}
    return {form for form in forms if form.endswith(_ADVERB) == word.endswith(_ADVERB)}


def _share_thing(word: str, question: str, text: str) -> bool:
    """Return whether a question and a text speak of one thing, one of before it and the other of after it.

    "How long before departure?" and "after each trip" are about two things.
    """
    asked = _timed_things(question, is_after=word == "after")
    told = _timed_things(text, is_after=word != "after")
    begun = {thing[:end] for thing in told for end in range(_STEM, len(thing) + 1)}
    return any(thing[: max(_STEM, len(thing) - _ENDING)] in begun for thing in asked)


def _timed_things(text: str, *, is_after: bool) -> Iterator[str]:
    """Yield the words right behind "after", else those behind "before", in lower case."""
    found = (words for when, words in _TIMED.findall(text.lower()) if (when == "after") == is_after)
    return (word[:_LONGEST] for words in found for word in words.split() if word not in _NO_THING)


def _said(text: str) -> set[str]:
    """Return the words of a text, and those that say in one word what is turned on or off."""
    switched = ((one["how"] or one["off"] or "on").lower() for one in _SWITCHED.finditer(text))
    return {word.lower() for word in _WORD.findall(text)} | {"enable" if how == "on" else "disable" for how in switched}


def _opposites(word: str) -> frozenset[str]:
    """Return what says the opposite of a word: "unlikely" of "likely", and the other way round."""
    denied = word.removeprefix(_DENYING) if word.startswith(_DENYING) else _DENYING + word
    return _OPPOSITES.get(word, frozenset()) | {denied}


def exclude_each_other(claimed: str, stated: str) -> bool:
    """Return whether a word says something else in the place of another: "weekly" for "daily", "falls" for "rises"."""
    one, other = claimed.lower(), stated.lower()
    singular = {one.removesuffix("s"), other.removesuffix("s")}
    return (
        other in _opposites(one) | _OPPOSITES_OF_CLAIMS.get(one, frozenset())
        or (len(singular) == 2 and any(singular <= words for words in _EXCLUSIVE))
        or (one in _UP and other in _DOWN)
        or (one in _DOWN and other in _UP)
    )
