"""The sources of an answer in the order in which it cites them, for formats in which ``[n]`` is the n-th source."""

from __future__ import annotations

import re

from pipelines.types import Answer, Hit

_NUMBER = re.compile(r"\[(\d+)\]")


def cited_first(answer: Answer) -> tuple[str, tuple[Hit, ...]]:
    """The answer's text, and its sources: those that it cites in the order of use, then the others by score.

    ``[n]`` in the text is the n-th source; an answer's own numbers count its footnotes, several of one source too.
    """
    hits = {hit.chunk_id: hit for hit in answer.sources}
    cited = dict.fromkeys(citation.chunk_id for citation in answer.citations if citation.chunk_id in hits)
    order = [*cited, *(chunk_id for chunk_id in hits if chunk_id not in cited)]
    places = {chunk_id: place for place, chunk_id in enumerate(order, 1)}
    numbers = {str(citation.number): places.get(citation.chunk_id) for citation in answer.citations}

    def renumbered(match: re.Match[str]) -> str:
        place = numbers.get(match[1])
        return match[0] if place is None else f"[{place}]"

    return _NUMBER.sub(renumbered, answer.text), tuple(hits[chunk_id] for chunk_id in order)
