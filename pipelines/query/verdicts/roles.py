"""Who did what: whether a claim gives two things of a sentence each other's part.

"Acme bought Bolt" and "Bolt bought Acme" share every word. Where two terms stand around the same verb in the opposite
order, or in the same order around a verb that is active in one and passive in the other, the claim says something else.
There is no parser: a verb is a term that stands between the two, outside a list, in both texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from pipelines.query.terms import Terms

_MOST_WORDS = 120  # of a text; a longer one says many things
_MOST_BETWEEN = 5  # words between the two
_NEARLY_ALL = 0.8  # of a claim's terms
_WORD = re.compile(r"[^\W_]+(?:[-'\u2019][^\W_]+)*|[,;:()]")
_LINKING = ", ; : ( ) and or nor as than versus vs between with both except but without"
_LINKS = frozenset(_LINKING.split())
_BE = frozenset(("is", "are", "was", "were", "be", "been", "being", "get", "gets", "got"))
_NOBODY = frozenset((-1,))  # "It was added in May" says not who added it, and is compared with its like alone
_PARTICIPLE = re.compile(r"(?:ed|en|wn|ght|ld|nt|pt|um|un|ut|made|found|set|led|won|lost|paid|hit|read)$")
_EITHER_WAY = re.compile(
    r"^(?:marr|me[et]t|equal|differ|resembl|match|correlat|relat|associat|link|interact|compar|border|adjoin|accompan"
    r"|overlap|connect|combin|coincid|parallel|rhym|mean|call|nam|know)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    term: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Part:
    """Two terms around a verb, in the order of who acts and who is acted upon."""

    actor: frozenset[int]
    verb: frozenset[int]
    other: frozenset[int]


def exchanged(claim: str, sentence: str, terms: Terms) -> tuple[str, str] | None:
    """Return two words of a claim that have each other's part in ``sentence``; None where it gives each its own.

    Only a claim nearly all of whose terms stand in the sentence is looked at.
    """
    claimed, stated = _words(claim, terms), _words(sentence, terms)
    if not claimed or not stated:
        return None
    mine, theirs = _all(claimed), _all(stated)
    if len(mine & theirs) < _NEARLY_ALL * len(mine):
        return None
    stands = {(one.actor, one.verb, one.other) for one, _ in _parts(stated)}
    for part, pair in _parts(claimed):
        turned = (part.other, part.verb, part.actor)
        if turned in stands and (part.actor, part.verb, part.other) not in stands:
            return pair
    return None


def _words(text: str, terms: Terms) -> list[_Word]:
    found = _WORD.findall(text)
    return [_Word(word, terms(word)) for word in found] if len(found) <= _MOST_WORDS else []


def _all(words: Sequence[_Word]) -> frozenset[int]:
    return frozenset[int]().union(*(word.term for word in words))


def _parts(words: Sequence[_Word]) -> Iterator[tuple[_Part, tuple[str, str]]]:
    """Yield every two terms around a verb near to each other, with the two as they are written."""
    places = [place for place, word in enumerate(words) if word.term]
    for first, last in combinations(places, 2):
        between = words[first + 1 : last]
        if not 0 < len(between) <= _MOST_BETWEEN or words[first].term == words[last].term:
            continue
        if any(word.text.lower() in _LINKS for word in between):
            continue
        pair = (words[first].text, words[last].text)
        for place, verb in enumerate(between):
            if verb.term and not verb.text[0].isupper() and not _EITHER_WAY.match(verb.text):
                passive = _is_passive(between, place)
                by = any(one.text.lower() == "by" for one in between[place + 1 :])
                actor, other = (words[last], words[first]) if passive and by else (words[first], words[last])
                done = _NOBODY if passive and not by else frozenset[int]()
                yield _Part(actor.term, verb.term | done, other.term), pair


def _is_passive(between: Sequence[_Word], verb: int) -> bool:
    before = {one.text.lower() for one in between[max(verb - 2, 0) : verb]}
    return _PARTICIPLE.search(between[verb].text.lower()) is not None and bool(before & _BE)
