"""Whether one may do something: "Dogs are welcome in the garden wing" answers "Can I bring my dog?".

Such a question and such a sentence share hardly more than the thing, so what reads them finds them far apart. The rules
are for English.
"""

from __future__ import annotations

import re

from pipelines.query.extracts.language.absence import is_among, words_of

_ASKS = re.compile(
    r"\W*(?:(?:can|could|may|must)\s+(?:i|one|we)|(?:am\s+i|are\s+we|is\s+it)\s+(?:allowed|permitted)\s+to)\s++"
    r"(?!(?:ask|be|call|contact|find|help|know|reach|say|see|tell)\b)(?P<verb>[a-z]+)\s++(?P<thing>[^?,;]{2,60})\??\s*",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\b(?:accepted|allowed|banned|cannot|consent|forbidden|may|must|never|no|not|only|permission|permitted|prohibited"
    r"|unless|welcome)\b",
    re.IGNORECASE,
)
"""What grants something, forbids it, or says under which condition it is so."""
_OF_ANY_USE = re.compile(
    r"\W*(?:neither|no|nor)\b|.*\b(?:banned|consent|forbidden|permission|prohibited|unless|(?:allowed|permitted|welcome)\b(?!\s+to))\b",
    re.IGNORECASE,
)
"""What says it of a thing, and not of something that is done with it, as "Plugins must be listed" does."""
_HAVING = re.compile(
    r".*\b(?:cannot|may|must|never|not|only)\s+(?:be\s+)?(?:admitted|at|brought|carried|come|enter|go|held|in|inside|kept|left"
    r"|on|outside|remain|stay|taken|travel|under|with|worn)\b",
    re.IGNORECASE,
)
"""What says where or how one may have a thing with one: "Dogs must be on a lead", not "Boats must be cleaned"."""
_OF_VERBS = dict.fromkeys(("bring", "have", "keep", "take", "wear"), _HAVING)
_OF_VERBS["pay"] = re.compile(r".*\baccepted\b", re.IGNORECASE)
"""What grants or forbids something in other words than a question, by the verb of that."""
_CLAUSE = re.compile(r"[.;:!?]\s|\n")
_DENIED = re.compile(r"\b(?:neither|no|nor|not|without)\s+(?:an?\s+|any\s+)?([^\W\d_][\w-]{1,40})", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
_SMALL_WORDS = "a an any at by for from i in into it my of on one or our own some the this to with your"
_SMALL = frozenset(_SMALL_WORDS.split())
_MOST_WORDS = 4
_FIRST = 3
"""Words of a clause among which stands what it is about."""


def tells_whether_one_may(question: str, text: str) -> bool:
    """Return whether it is asked if one may do something with a thing, and a clause of a text is about that thing, has
    all that is said of it, and grants, forbids or limits it or what is done.
    """
    asked = _ASKS.fullmatch(question)
    things = [word for word in _WORD.findall(asked["thing"].lower()) if word not in _SMALL] if asked else []
    if not 0 < len(things) <= _MOST_WORDS:
        return False
    verb = asked["verb"].lower() if asked else ""
    return any(_SAYS.search(clause) and _is_about(verb, things, clause) for clause in _CLAUSE.split(text))


def _is_about(verb: str, things: list[str], clause: str) -> bool:
    words = words_of(clause)
    if not all(is_among(thing, words) for thing in things):
        return False
    of_use = (_OF_ANY_USE, _OF_VERBS.get(verb, _OF_ANY_USE))
    if not (_says_verb(verb, clause) or any(one.match(clause) for one in of_use)):
        return False
    told = words_of(" ".join((*_WORD.findall(clause)[:_FIRST], *_DENIED.findall(clause))))
    return any(is_among(thing, told) for thing in things)


def _says_verb(verb: str, clause: str) -> bool:
    """Return whether a verb stands in a clause, in a regular form."""
    stem = re.escape(verb.removesuffix("e"))
    ending = r"(?:e[sd]?|ing)" if verb.endswith("e") else r"(?:e?s|\w?ed|\w?ing)?"
    return re.search(rf"\b{stem}{ending}\b", clause, re.IGNORECASE) is not None
