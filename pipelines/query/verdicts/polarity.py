"""Whether one text denies what another says: a word that is negated in one and stands unnegated in the other."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.query.terms import Terms

_CALLED_UNTRUE = r"""(?:myth|misconception|false|untrue|wrong|mistaken)\ that
        |(?:wrongly|falsely|mistakenly|erroneously)\ (?:believe|think|assume|claim|sa[iy]|suppose)\w*
        |(?:claim|idea|belief|notion|rumou?r)\ that(?=[^.!?]{1,200}\b(?:false|wrong|myth|disprove|debunk|refute))
        |(?:wrong|false|error|mistake|mistaken|incorrect|misleading)\ to\ (?:believe|think|assume|claim|say|suppose)
        |(?:reject|den[yi]|dismiss|refut|disput)(?:e?[ds]|es)?\ (?:(?:the|a|any)\ (?:\w+\ )?)?
            (?:claim|idea|belief|notion|rumou?r|proposal|suggestion|view|plan)?\ ?that
        |(?:unknown|unclear|uncertain|unproven|doubtful)\ (?:whether|if|that)
        |whether(?=[^.!?]{1,200}\b(?:unknown|unclear|uncertain|unproven|doubtful|not\ known)\b)
        |nobody\ (?:should|must|may)\ (?:believe|think|assume|say)"""
_GERMAN = r"nicht|kein(?:e[mnrs]?)?|niemals|niemand(?:em|en)?|weder"
_FRENCH = r"(?:ne\ |n['\u2019])(?:[\w'\u2019-]+\ ){0,3}?(?:pas|plus|jamais|rien|personne|aucune?)"
_CUE = re.compile(
    rf"""\b(?:{_CALLED_UNTRUE}|no\ longer|not\ yet|impossible\ to|(?:^|(?<=[.:]\ )|(?<=should\ )|(?<=must\ ))avoid
        |stop(?:s|ped)?\ (?=\w+ing\b)|non(?=-)
        |not|no|never|neither|nor|none|nobody|nothing|nowhere|without|w/o|cannot|hardly|rarely|seldom
        |lacks?|lacking|fail(?:s|ed)?\ to|unable\ to|instead\ of|rather\ than|{_GERMAN}|{_FRENCH})\b|n['\u2019]t\b""",
    re.VERBOSE | re.IGNORECASE,
)
_UNTRUE = re.compile(
    r"\b(?:myth|misconception|false|untrue|wrong|mistake|erroneous|disprove|debunk|refute)", re.IGNORECASE
)
_FRAME = re.compile(rf"\b(?:{_CALLED_UNTRUE})\b", re.VERBOSE | re.IGNORECASE)
_NO_CUE = re.compile(
    r"\b(?:not\s+only|nicht\s+nur|pas\s+seulement|for\s+nothing\b|no\s+(?:more|less|fewer|later|earlier)\s+than"
    r"|no\.\s*\d)"
    r"|(?:^|(?<=[.!?:]\s))no(?:[,;:!.]|\s+[-\u2013\u2014])(?!\s*\d)",  # "No, ..." answers, and denies nothing behind it
    re.IGNORECASE,
)
_ANSWERED_NO = re.compile(r"\?[*_\"'\u201d]{0,3}\s{1,9}(?:No|NO|Nein|Non)\b(?!\.\s*\d)")
_BETWEEN_SENTENCES = re.compile(r"[.!?]")
_PREFIXED = re.compile(
    r"\b(?:un(?=\w{4})(?!less\b)|(?:in|im|il|ir)(?=\w{5})|non-?(?=\w{4}))(?P<rest>\w+)", re.IGNORECASE
)
_SCOPE_END = re.compile(r"[,;:.!?()]|\b(?:but|however|although|because|while|whereas|unless|if)\b", re.IGNORECASE)
_SCOPE_WORDS = 3
_SCOPE_CHARS = 300  # in which so many words stand; a table can be one sentence
_SAME = 0.85
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Polarity:
    """The terms of a text, and for each negation in it the first terms that it negates."""

    terms: frozenset[int]
    denied: tuple[frozenset[int], ...]

    def contradicts(self, other: Polarity) -> bool:
        """Return whether most of what a negation in one of the two denies is stated in the other, and denied nowhere
        in it.

        Of two texts in nearly the same words, one with more negations than the other contradicts it anyhow.
        """
        if self._says_the_same_as(other) and len(self.denied) != len(other.denied):
            return True
        return self._is_denied_by(other) or other._is_denied_by(self)

    def _says_the_same_as(self, other: Polarity) -> bool:
        return len(self.terms & other.terms) >= _SAME * max(len(self.terms), len(other.terms), 1)

    def _is_denied_by(self, other: Polarity) -> bool:
        mine = frozenset[int]().union(*self.denied)
        return any(
            (shared := scope & self.terms) and len(shared) * 2 >= len(scope) and not shared & mine
            for scope in other.denied
        )


def polarity(text: str, terms: Terms) -> Polarity:
    """Return what a text says and denies, in the terms (stemmed, without stop words) that ``terms`` finds.

    A question that is answered by "No" is denied as a whole.
    """
    plain = _NO_CUE.sub(" ", text)
    answered = [terms(_sentence_before(text, found.start())) for found in _ANSWERED_NO.finditer(text)]
    denied = [_denied_by(found, terms) for found in _CUE.finditer(plain)]
    return Polarity(terms(plain), tuple(answered + denied))


def contradict(one: str, other: str, terms: Terms) -> bool:
    """Return whether one of two texts denies what the other says; "unsafe" denies "safe"."""
    if _UNTRUE.search(one) and _UNTRUE.search(other):  # "It is a myth that ..." and "... is a myth"
        one, other = _FRAME.sub(" ", one), _FRAME.sub(" ", other)
    return polarity(_parted(one, other), terms).contradicts(polarity(_parted(other, one), terms))


def _parted(text: str, other: str) -> str:
    """Return a text with "not safe" for "unsafe" where the other text, and not this one, has "safe"."""
    own, others = (frozenset(map(str.lower, _WORD.findall(one))) for one in (text, other))
    return _PREFIXED.sub(lambda one: f"not {one['rest']}" if one["rest"].lower() in others - own else one[0], text)


def _sentence_before(text: str, end: int) -> str:
    *_, last = _BETWEEN_SENTENCES.split(text[max(end - _SCOPE_CHARS, 0) : end])
    return last


def _denied_by(cue: re.Match[str], terms: Terms) -> frozenset[int]:
    """Return the terms behind a cue; those before it where a German sentence ends with it: "startet nicht"."""
    scope = _scope(cue.string, cue.end(), terms)
    if scope or cue[0].lower() != "nicht":
        return scope
    *_, last = _SCOPE_END.split(cue.string[max(cue.start() - _SCOPE_CHARS, 0) : cue.start()])
    return terms(last)


def _scope(text: str, start: int, terms: Terms) -> frozenset[int]:
    rest = text[start : start + _SCOPE_CHARS]
    end = _SCOPE_END.search(rest)
    scope: list[int] = []
    for word in _WORD.findall(rest[: end.start()] if end else rest):
        scope += terms(word)
        if len(scope) >= _SCOPE_WORDS:
            break
    return frozenset(scope)


def negates(text: str) -> bool:
    """Return whether there is a negation in a text."""
    return _CUE.search(_NO_CUE.sub(" ", text)) is not None
