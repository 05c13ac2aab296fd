"""Weighs what a section begins with beside what stands behind it: its list, or what a setting takes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from pipelines.query.extracts.candidates import Candidate
from pipelines.query.extracts.language.defaults import asks_default, states_default
from pipelines.query.extracts.language.values import asks_values, states_values
from pipelines.query.extracts.passages.passages import LISTS, Passage
from pipelines.query.extracts.sections import NamedSections
from pipelines.query.identifiers import asks_effect_of_option
from pipelines.query.question_types import question_kind
from pipelines.query.terms import Terms

_BEHIND_LIST = 2.5
"""How much worse prose is than the list that its section begins with, if it has no word of the question."""
_AHEAD = 0.1
_OF_OTHER = 2.5
"""What a passage loses that only mentions an option, where another one stands below its name."""


def disfavour_behind_lists(question: str, candidates: Sequence[Candidate], terms: Terms) -> None:
    """Put prose that only its heading makes an answer behind the list that the section begins with.

    A number, a time or a name may stand behind the list, without a word of the question.
    """
    if question_kind(question) is not None:
        return
    asked = terms(question)
    lists = [one for one in candidates if one.passage.kind in LISTS]
    for candidate in candidates if lists else ():
        if candidate.passage.kind != "sentences" or asked & terms(candidate.passage.shown):
            continue
        before = [one.score for one in lists if _is_before(one.passage, candidate.passage)]
        candidate.score = min([candidate.score, *(score - _BEHIND_LIST for score in before)])


def favour_stating(question: str, candidates: Sequence[Candidate]) -> None:
    """Where it is asked what a setting is by default, or what it takes, count the beginning of its section that says so
    as much as the best that stands behind it.
    """
    states = states_default if asks_default(question) else states_values if asks_values(question) else None
    if states is None:
        return
    for stating in (one for one in candidates if states(one.passage.shown) and _begins(one.passage)):
        behind = [one.score for one in candidates if _is_before(stating.passage, one.passage)]
        stating.score = max([stating.score, *(score + _AHEAD for score in behind)])


def favour_entry(question: str, candidates: Sequence[Candidate], sections: NamedSections) -> None:
    """Where it is asked what an option does, favour the section of its name: others only mention it.

    Its beginning counts as much as the best that stands behind it.
    """
    own = [one for one in candidates if sections.defines(one.passage)] if asks_effect_of_option(question) else []
    best = max((one.score for one in own), default=0.0)
    known = set(map(id, own))
    for candidate in candidates if own else ():
        candidate.score -= _OF_OTHER * (id(candidate) not in known)
    for candidate in own:
        candidate.score = best + _AHEAD if _begins(candidate.passage) else candidate.score


def _is_before(one: Passage, other: Passage) -> bool:
    """Return whether a passage stands before another one in the same section."""
    is_same = one.is_of_text(other) and one.headings == other.headings and one.headings != ()
    return is_same and one.span.end <= other.span.start and _heading_start(one) == _heading_start(other)


def _heading_start(passage: Passage) -> int:
    starts = takewhile(lambda start: start <= passage.span.start, (one.start for one in passage.stored.headings))
    return max(starts, default=0)


def _begins(passage: Passage) -> bool:
    """Return whether prose stands right below its heading, as the default and the type of a setting do."""
    between = passage.stored.text[_heading_start(passage) : passage.span.start].strip()
    return passage.kind == "sentences" and passage.headings != () and "\n" not in between
