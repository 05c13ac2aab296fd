"""The plain nouns that a question is about, by the place of its words: "hamsters" of "Can hamsters eat carrots?".

There is no parser. Only places are read in which English has a noun and hardly anything else; most questions have none.
"""

from __future__ import annotations

import re

from pipelines.query.question_types import COMPARATIVE, question_form

_ASKS = r"(?:can|could|do|does|did|may|might|must|should|will|would)"
_OTHERS = r"(?!(?:always|others|ours|theirs|things|yours)\b)"
_LIVES = (
    r"(?:be|become|carry|cause|come|contain|cost|do|eat|get|give|go|grow|have|help|keep|last|live|look|make|mean|need"
    r"|protect|run|sleep|support|take|treat|use|want|weigh|work)\b"
)
_ANY_ONE = (
    r"(?!(?:common|correct|current|default|first|following|global|last|main|next|only|other|right|same|second|usual)\b)"
)
_SUBJECTS = (
    re.compile(rf"^\W*(?:(?:how(?:\s+\w+)?|when|where|why)\s+)?{_ASKS}\s+{_OTHERS}([a-z]{{2,}}[^\Wisu]s)\s+\w", re.I),
    re.compile(rf"\b{_ASKS}\s+(?:an?|my|your)\s+([a-z]{{3,}})\s+{_LIVES}", re.I),
    re.compile(r"\b(?:an?|my)\s+(?:pet\s+)?([a-z]{4,})\W*$", re.I),
    re.compile(
        r"^\W*who(?:'s|\s+(?:is|are|was|were))\s+the\s+(?:[a-z-]+\s+){0,2}(?!charge\b|responsible\b)([a-z]{4,})"
        r"\s+(?:at|for|in|of)\b",
        re.I,
    ),
    re.compile(
        r"\b(?:change|configure|disable|does|enable|is|of|set|use)\s+the\s+"
        rf"{_ANY_ONE}([a-z]{{4,}})\s+(?:flag|mode|option|parameter|setting|switch)\b",
        re.I,
    ),
    re.compile(r"\b(?:about|for|of|on|with)\s+(?:[A-Z][\w-]*\s+)+(?:[a-z-]+\s+)?([a-z]{3,}[^\Wisu]s)\W*$"),
)
_OF_NAMED = (
    re.compile(
        r"\b(?:add|build|configure|create|delete|disable|enable|export|import|install|order|remove|upload|use|write)\s+"
        r"(?:[A-Z][\w-]*\s+)+([a-z]{3,}[^\Wisu]s)\s+(?:at|for|from|in|on|to|using|via|with)\b"
    ),
    re.compile(
        r"^\W*(?i:what\s+do(?:es)?)\s+(?:(?:an?|the)\s+)?(?:[A-Z][\w-]*\s+)+(?:[a-z-]+\s+)?([a-z]{3,})\s+cost\b"
    ),
)
"""What is done with things of a name, or asked the price of: "plugins" of "How do I install Ebb plugins on Linux?"."""
_PERIOD = re.compile(r"(?:day|night|hour|minute|month|quarter|second|time|week|while|year)s?", re.I)
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
_NO_CLAIM = re.compile(
    r"(?:condition|disease|disorder|illness|issue|problem)s?|patients|people|person|users?"
    r"|about|after|again|anything|before|best|cheap|easy|else|enough|ever|expensive|fast|from|good|hard|here|instead|into"
    r"|large|long|mandatory|much|necessary|normal|often|over|safe|short|slow|small|something|that|them|there|these|they"
    r"|this|those|through|together|true|well|with|without|\w*(?:ed|ing|ly|[ai]ble)"
    rf"|first|last|{COMPARATIVE}|(?:clos|dear|deep|earli|easi|great|hard|lat|loud|quiet|rich|saf|simpl|tall|warm|wid|young)er",
    re.I,
)
_PLACED = re.compile(
    rf"\W*(?:(?:are|is|was|were)\s+there|{_ASKS}\s+(?:i|one|people|they|we|you)\s+[a-z]+)\s+(?:[\w'\u2019-]+\s+){{0,6}}?"
    r"(?<!\bto\s)(?P<thing>[a-z][\w'\u2019-]{2,})\s+(?:at|from|in|inside|near|to)\s+(?:our|the|this|your)\s+"
    r"(?:[\w'\u2019-]+\s+){0,2}?[\w'\u2019-]+\W*$",
    re.IGNORECASE,
)
"""What is where, or what somebody does something to, and the place at the end, which an answer need not name."""
_SUPPORTED = re.compile(
    rf"\W*{_ASKS}\s[^?]{{1,80}}?\b(?:allow|have|include|offer|provide|support)\s+(?:an?\s+)?"
    r"((?:[\w-]+\s+){1,2})[\w-]+\W*$",
    re.IGNORECASE,
)
"""What tells which kind of a thing is to be confirmed: "electric" of "Does the yard have electric cranes?"."""
_COUNTED = re.compile(
    rf"\bhow\s+many\s+(?:[\w'-]+\s+){{0,2}}?(?P<thing>[a-z]{{3,}}[^\Wsu]s)\s+(?:{_ASKS}|are|has|have|had|in|is|of|per|was|were)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\bwhat\s+(?:are|were)\s+the\s+(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\s+(?:[\w'-]+\s+)?"
    r"(?P<thing>[a-z]{2,}[^\Wsu]s)\s+(?:for|in|of|on)\b",
    re.IGNORECASE,
)
_DEFAULT = re.compile(r"\bdefaults?\b", re.IGNORECASE)
_PRICED = re.compile(
    r"\bhow\s+much\s+(?:did|do|does|will|would)\s+(?:an?|one|our|the|your)\s+(?:[\w'\u2019-]+\s+){0,3}?([a-z]{4,})\s+cost\b",
    re.IGNORECASE,
)
_OF_PROGRAM = re.compile(
    rf"\bthe\s+{_ANY_ONE}([a-z]{{4,30}})\s+(?:attribute|command|component|element|field|function|hook|method|tag)\b",
    re.I,
)
"""What is named before its kind: "audio" of "the audio tag"."""
_HOW_MUCH_IS = re.compile(
    r"^\W*how\s+much\s+(?:are|is)\s+(?:(?:an?|our|the|your)\s+)?(?:[\w'\u2019-]+\s+){0,3}?([a-z]{4,})"
    r"(?:\W*$|\s+(?:charges?|costs?|fares?|fees?|fines?|prices?|rates?)\W*$|\s+(?:at|by|for|from|in|of|on|per|with)\b)",
    re.IGNORECASE,
)
_NO_GOODS = re.compile(
    r"charges?|costs?|fares?|fees?|fines?|penalty|prices?|rates?|sums?|left|lent|paid|spent|given|taken|\w*[^\We]ed",
    re.IGNORECASE,
)
"""What an amount itself is called, and what is done with it: "How much is covered?"."""
_ANY_GOODS = re.compile(
    r"(?:account|admission|card|class|course|document|edition|entry|file|item|licen[cs]e|membership|model|option|package|pass|permit|plan|product"
    r"|room|seat|service|subscription|ticket|tier|tour|trip|unit|version|visit)s?",
    re.IGNORECASE,
)
"""Words that a list of prices, or steps for things of a name, may leave out or say otherwise."""
_PLURAL_ES = re.compile(r"(?<=ch|sh|ss)es$|(?<=x)es$")
_NOT_SAID = re.compile(
    r"(?:centi|kilo|milli)?(?:grams|lit(?:er|re)s|met(?:er|re)s)|(?:giga|kilo|mega|tera)?(?:bits|bytes|watts)"
    r"|(?:kilo)?(?:calories|joules)|acres|amperes|cents|degrees|dollars|euros|gallons|hectares|inches|kilos|knots"
    r"|miles|ounces|pints|pixels|pounds|tonnes|volts|yards"
    r"|aims|causes|characters|colou?rs|copies|forms|goals|ingredients|kinds|parts|phases|pieces|points|purposes|reasons|sizes"
    r"|sorts|stages|steps|types|units|words"
    r"|adults|customers|employees|girls|guests|members|participants|passengers|patients|persons|players|pupils"
    r"|residents|students|teachers|visitors|volunteers|workers",
    re.IGNORECASE,
)
"""Plurals that an answer may leave out or say otherwise: units, as in "60 W", kinds, and persons."""
_PUTS = re.compile(r"\b(?:drop|dump|leave|move|park|place|pour|put|stay|store|throw)\b", re.IGNORECASE)
"""What is all about the place: "Can I put batteries in the green box?"."""
_LEAST = 4


def subjects(question: str) -> list[str]:
    """Return the nouns that stand where a question says what it is about; not names, which have capitals."""
    found = [match[1] for pattern in _SUBJECTS if (match := pattern.search(question))]
    return [word for word in found if word.islower() and not _PERIOD.fullmatch(word)]


def counted(question: str) -> str:
    """Return the noun for what a question asks or says the number of: "berths" of "How many berths does the harbour
    have?", "rules" of "What are the three rules of the harbour?".

    It is empty for what an answer may leave out or say otherwise: times, units, kinds and persons, and what a setting
    decides: "The page size is 50 by default." is of results, too.
    """
    found = None if _DEFAULT.search(question) else _COUNTED.search(question) or _NUMBERED.search(question)
    thing = found["thing"] if found is not None else ""
    is_said = thing and _NOT_SAID.fullmatch(thing) is None and _is_claim(thing)
    return _PLURAL_ES.sub("", thing) if is_said else ""


def priced(question: str) -> str:
    """Return the noun for what a question asks the price of: "skiff" of "How much does a small skiff cost?".

    It is empty for words that a list of prices may leave out.
    """
    found = _PRICED.search(question)
    return found[1] if found is not None and _is_claim(found[1]) and not _ANY_GOODS.fullmatch(found[1]) else ""


def named_before_kind(question: str) -> list[str]:
    """Return the names of things of programs that stand before their kinds: "audio" of "the audio tag"."""
    return [name for name in _OF_PROGRAM.findall(question) if name.islower()]


def bought(question: str) -> str:
    """Return the noun behind "how much is": "parking" of "How much is pier parking?".

    A list of prices may leave it out, so an answer without it is only doubtful.
    """
    found = _HOW_MUCH_IS.match(question)
    thing = found[1] if found is not None else ""
    is_any = any(one.fullmatch(thing) for one in (_ANY_GOODS, _NO_GOODS, _PERIOD))
    return thing if thing.islower() and not is_any else ""


def claimed(question: str) -> str:
    """Return the noun of a yes-or-no question that mostly names what is to be confirmed: "carrots".

    It is the last word, or the one before a place: "wifi" of "Is there wifi in the cottage?". It is empty where that is
    a name, or a word that an answer replaces by many others, such as "allowed".
    """
    if question_form(question) != "yesno":
        return ""
    placed = _PLACED.match(question)
    if placed is not None and _PUTS.search(placed[0]) is None and not _NO_CLAIM.fullmatch(placed["thing"]):
        return placed["thing"] if _is_claim(placed["thing"]) else ""
    *_, last = _WORD.findall(question) or [""]
    return last if _is_claim(last) else ""


def claimed_kinds(question: str) -> list[str]:
    """Return the words for the kind of thing that a yes-or-no question wants confirmed, or that another one has to do
    with: "plugins" of "How do I install Ebb plugins on Linux?".

    An answer about another kind does not answer it. An answer may use other words, so an answer without these is only
    doubtful.
    """
    if of_named := [match[1] for pattern in _OF_NAMED if (match := pattern.search(question))]:
        return [word for word in of_named if not _ANY_GOODS.fullmatch(word)]
    found = _SUPPORTED.match(question) if question_form(question) == "yesno" else None
    words = _WORD.findall(found[1]) if found is not None and claimed(question) else []
    return words if all(map(_is_claim, words)) else []


def _is_claim(word: str) -> bool:
    is_plain = word.islower() and len(word) >= _LEAST
    return is_plain and _NO_CLAIM.fullmatch(word) is None and _PERIOD.fullmatch(word) is None
