"""The sources of an answer in the order in which it cites them, for formats in which ``[n]`` is the n-th source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pipelines.types import (
    KEPT_NOWHERE,
    Answer,
    AnswerEvent,
    Citation,
    CitationMade,
    Claim,
    Heartbeat,
    Hit,
    TextWritten,
)

_NUMBER = re.compile(r"\[(\d+)\]")
_AGAIN = re.compile(r"(\[\d+\])(?:\s*\1)+")


def versions_of(ones: Iterable[Hit | Citation]) -> frozenset[tuple[str, int]]:
    """Return the documents and versions that sources or footnotes are of; what no document holds is left out."""
    return frozenset((one.document_id, one.version) for one in ones if one.version != KEPT_NOWHERE)


class CitedFirst(NamedTuple):
    """An answer whose ``[n]``, in its text and its claims, is its n-th source."""

    text: str
    sources: tuple[Hit, ...]
    claims: tuple[Claim, ...]


def cited_first(answer: Answer) -> CitedFirst:
    """Return the answer with its sources in order: those that it cites in the order of use, then the others by
    score.
    """
    hits = {hit.chunk_id: hit for hit in answer.sources}
    cited = dict.fromkeys(citation.chunk_id for citation in answer.citations if citation.chunk_id in hits)
    order = [*cited, *(chunk_id for chunk_id in hits if chunk_id not in cited)]
    places = {chunk_id: place for place, chunk_id in enumerate(order, 1)}
    numbers = {str(citation.number): places.get(citation.chunk_id) for citation in answer.citations}
    claims = tuple(_renumbered_claim(claim, numbers) for claim in answer.claims)
    return CitedFirst(_renumbered(answer.text, numbers), tuple(hits[chunk_id] for chunk_id in order), claims)


def cited_first_events(events: Iterable[AnswerEvent]) -> Iterator[AnswerEvent]:
    """The events of an answer, in the numbers that `cited_first` gives its text: those of the last event stay.

    A text with a footnote waits for what comes after it, which may be the citation that tells its source.
    """
    waiting: list[AnswerEvent] = []
    places: dict[str, int] = {}
    numbers: dict[str, int | None] = {}
    for event in events:
        if isinstance(event, Heartbeat):
            yield event
            continue
        if isinstance(event, CitationMade):
            place = places.setdefault(event.citation.chunk_id, len(places) + 1)
            numbers[str(event.citation.number)] = place
            waiting.append(CitationMade(replace(event.citation, number=place)))
            continue
        yield from _renumber_waiting(waiting, numbers)
        waiting = [event]
        if not (isinstance(event, TextWritten) and _NUMBER.search(event.text)):
            yield waiting.pop()
    yield from _renumber_waiting(waiting, numbers)


def _renumber_waiting(waiting: Iterable[AnswerEvent], numbers: Mapping[str, int | None]) -> Iterator[AnswerEvent]:
    for event in waiting:
        yield TextWritten(_renumbered(event.text, numbers)) if isinstance(event, TextWritten) else event


def cited_names(answers: Sequence[Answer]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Claim, ...]]:
    """Return the texts of several answers, the names of their sources, and their claims.

    The names are those cited in the order of use, then the others; ``[n]`` in texts and claims is the n-th name.
    """
    cited = [citation.source for answer in answers for citation in answer.citations]
    names = tuple(dict.fromkeys([*cited, *(hit.source for answer in answers for hit in answer.sources)]))
    places = {name: place for place, name in enumerate(names, 1)}
    texts: list[str] = []
    claims: list[Claim] = []
    for answer in answers:
        numbers = {str(citation.number): places[citation.source] for citation in answer.citations}
        texts.append(_AGAIN.sub(r"\1", _renumbered(answer.text, numbers)))
        claims += [_renumbered_claim(claim, numbers) for claim in answer.claims]
    return tuple(texts), names, tuple(claims)


def _renumbered_claim(claim: Claim, numbers: Mapping[str, int | None]) -> Claim:
    """Return the claim with the numbers that stand in the text; they may be fewer, where several mean one source."""
    others = (numbers.get(str(number)) or number for number in claim.citations)
    return replace(claim, citations=tuple(dict.fromkeys(others)))


def _renumbered(text: str, numbers: Mapping[str, int | None]) -> str:
    """``text`` with each number of a footnote replaced, if there is another for it."""

    def other(match: re.Match[str]) -> str:
        number = numbers.get(match[1])
        return match[0] if number is None else f"[{number}]"

    return _NUMBER.sub(other, text)
