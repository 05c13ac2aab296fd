"""Holders: a text about a mother does not answer a question about her son.

There is no parser. Only places of a question are read in which English names who or what an answer has to be about.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from pipelines.query.conversation.subjects import is_general, is_small
from pipelines.query.extracts.language.absence import is_among, words_of
from pipelines.query.question_types import KEPT_QUESTIONS, question_form, question_kind

_SPOUSE = ("husband", "wife", "spouse", "partner", "marri", "marry", "wed", "widow")
_CHILD_OF = ("parent", "born", "birth")
_ALONE = (
    "son", "daughter", "brother", "sister", "uncle", "aunt", "nephew", "niece", "cousin", "grandfather", "grandmother",
    "grandson", "granddaughter", "assistant",
)  # fmt: skip
_RELATIVES = {
    **{one: (one,) for one in _ALONE},
    **dict.fromkeys(("husband", "wife", "spouse", "widow", "widower"), _SPOUSE),
    "father": ("father", *_CHILD_OF),
    "mother": ("mother", *_CHILD_OF),
    "deputy": ("deput", "vice"),
    "predecessor": ("predecess", "preced", "before", "former", "previous", "succe", "replac", "took", "until"),
    "successor": ("success", "succe", "after", "replac", "took", "follow", "next", "now", "since"),
}
"""Those whom somebody has, and how words begin that speak of them."""
_RANKS = {
    "acting": ("acting", "interim"),
    "assistant": ("assistant", "asst", "deput"),
    "deputy": ("deput", "vice", "vp"),
    "former": ("former", "previous", "ex-", "until", "past", "before", "served", "was"),
    "honorary": ("honorary",),
    "interim": ("interim", "acting"),
    "vice": ("vice", "deput", "vp"),
}
"""What stands before a role of another person, and how words begin that say so."""
_ROLE = (
    r"(?:captain|chair(?:man|person|woman)?|chancellor|coach|dean|director|editor|governor|head|leader|manager|mayor"
    r"|minister|president|principal|secretary|treasurer)"
)
_RANKED = re.compile(rf"\b({'|'.join(_RANKS)})[\s-]{_ROLE}s?\b", re.IGNORECASE)
_WHO_HOLDS = re.compile(
    rf"\W*who(?:['\u2019]s|\s+(?:is|was))\s+(?:the\s+)?(?:[\w-]+\s+)?({_ROLE})\s+(?:at|for|in|of)\b", re.IGNORECASE
)
"""The role of which the holder is asked for: "Who is the treasurer of the club?"."""
_ANY = "|".join(sorted(_RELATIVES, key=len, reverse=True))
_RELATIVE = re.compile(rf"['\u2019]s?\s+(?:[a-z]{{1,30}}\s+)?({_ANY})s?\b|\b({_ANY})s?\s+of\b", re.IGNORECASE)
"""The son of "Ida's eldest son", and of "the son of Ida"."""
_KIND = re.compile(
    r"(?<![\w-])([a-z-]{4,30})\s+"
    r"(?:allowance|director|fee|insurance|licen[cs]e|manager|officer|permit|rate|secretary|tax)(?:s|es)?\b"
)
"""The word that tells rates, fees or officers apart: "literacy rate"."""
_ANY_KIND = re.compile(
    r"(?:half-)?(?:hourly|daily|weekly|monthly|quarterly|yearly)|annual|average|current|maximum|minimum|total|usual"
)
_GROUP = re.compile(r"\bfor\s+(?:(?:all|the)\s+)?(?:[a-z-]{1,30}\s+){0,2}(children|women|men|[a-z]{3,30}[^\Wisu]s)\W*$")
"""Those for whom something is, at the end of a question."""
_AMOUNT_FOR = re.compile(
    r"[$\u20ac\u00a3]\s?\d[\d.,]*(?:\s(?:million|billion))?\s(?:for|towards)\s(?:the\s)?([a-z]{4,30})\s(?:for|of)\s"
)
"""The work on a thing that an amount is for: "\u00a3300 for painting of the mast"."""
_NAME = re.compile(r"(?<![\w-])[A-Z][\w-]*(?:\s[A-Z][\w-]*)+")
_MOST_NAMES = 4
_COMPARED = r"\b(?:after|before|besides|except|like|than|unlike|until|compared\s(?:to|with)|similar\sto)\s(?:the\s)?"


def is_of_another(question: str, told: str) -> bool:
    """Return whether a text is about other people than the question.

    It lacks the relative, the role, the kind of officer or rate, or the group that the question asks about, or names
    them only to compare something else with them; or it gives the price of work on a thing where that of the thing is
    asked for. ``told`` includes the headings above the text.
    """
    wanted = _wanted(question)
    words = words_of(told) if wanted else frozenset()
    return (
        any(not is_among(one, words) for one in wanted)
        or _lacks_relative(question, told)
        or _is_price_of_part(question, told)
        or lacks_role(question, told)
        or (question_form(question) != "comparison" and _only_compares(question, told))
    )


@lru_cache(KEPT_QUESTIONS)
def _wanted(question: str) -> tuple[str, ...]:
    """Return the words of a question that tell kinds of rates or officers apart, and the group at its end."""
    kinds = (kind for kind in _KIND.findall(question) if not _ANY_KIND.fullmatch(kind))
    return (*(kind for kind in kinds if not is_small(kind) and not is_general(kind)), *_GROUP.findall(question))


def _lacks_relative(question: str, text: str) -> bool:
    asked = [_RELATIVES[(owned or of).lower()] for owned, of in _RELATIVE.findall(question)]
    asked += [_RANKS[rank.lower()] for rank in _RANKED.findall(question)]
    words = text.lower().split() if asked else []
    return any(not any(word.strip("\"'(\u201c").startswith(beginnings) for word in words) for beginnings in asked)


def lacks_role(question: str, told: str) -> bool:
    """Return whether the holder of a role is asked for, and a text speaks of none, not even as a part of a word."""
    asked = _WHO_HOLDS.match(question) if _RANKED.search(question) is None else None
    return asked is not None and asked[1].lower() not in told.lower()


def _is_price_of_part(question: str, told: str) -> bool:
    """Return whether all amounts that a text gives are for work on a thing that a question asks the price of."""
    parts = _AMOUNT_FOR.findall(told) if question_kind(question) == "money" else []
    asked = words_of(question) if parts else frozenset()
    return bool(parts) and not any(is_among(work, asked) for work in parts)


def _only_compares(question: str, told: str) -> bool:
    """Return whether a name of several words stands only after words such as "than" or "until"."""
    _, _, rest = question.partition(" ")  # the first word of a question has a capital anyway
    names = (found[0] for found in islice(_NAME.finditer(rest), _MOST_NAMES))
    asked = (name for name in names if not _count(name, question, _COMPARED))
    return any(_count(name, told) == _count(name, told, _COMPARED) > 0 for name in asked)


def _count(name: str, text: str, behind: str = "") -> int:
    return len(re.findall(rf"{behind}{re.escape(name)}\b", text, re.IGNORECASE))
