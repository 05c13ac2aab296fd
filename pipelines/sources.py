"""The sources of an answer in the order in which it cites them, for formats in which ``[n]`` is the n-th source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pipelines.types import Answer, Hit

_NUMBER = re.compile(r"\[(\d+)\]")
_AGAIN = re.compile(r"(\[\d+\])(?:\s*\1)+")


def cited_first(answer: Answer) -> tuple[str, tuple[Hit, ...]]:
    """The answer's text, and its sources: those that it cites in the order of use, then the others by score.

    ``[n]`` in the text is the n-th source; an answer's own numbers count its footnotes, several of one source too.
    """
    hits = {hit.chunk_id: hit for hit in answer.sources}
    cited = dict.fromkeys(citation.chunk_id for citation in answer.citations if citation.chunk_id in hits)
    order = [*cited, *(chunk_id for chunk_id in hits if chunk_id not in cited)]
    places = {chunk_id: place for place, chunk_id in enumerate(order, 1)}
    numbers = {str(citation.number): places.get(citation.chunk_id) for citation in answer.citations}
    return _renumbered(answer.text, numbers), tuple(hits[chunk_id] for chunk_id in order)


def cited_names(answers: Sequence[Answer]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The texts of several answers, and the names of their sources: those cited in the order of use, then the others.

    ``[n]`` in each text is the n-th name.
    """
    cited = [citation.source for answer in answers for citation in answer.citations]
    names = tuple(dict.fromkeys([*cited, *(hit.source for answer in answers for hit in answer.sources)]))
    places = {name: place for place, name in enumerate(names, 1)}
    texts = (
        _renumbered(answer.text, {str(citation.number): places[citation.source] for citation in answer.citations})
        for answer in answers
    )
    return tuple(_AGAIN.sub(r"\1", text) for text in texts), names


def _renumbered(text: str, numbers: Mapping[str, int | None]) -> str:
    """``text`` with each number of a footnote replaced, if there is another for it."""

    def other(match: re.Match[str]) -> str:
        number = numbers.get(match[1])
        return match[0] if number is None else f"[{number}]"

    return _NUMBER.sub(other, text)
