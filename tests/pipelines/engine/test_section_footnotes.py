"""A footnote names the chunk that its quote stands in, also where the chunk of a named section was not found."""

from __future__ import annotations

import pytest

from pipelines.types import DocumentInput
from tests.conftest import OpenTenant

PROFILE = """
tenant: settings
store: {engine: memory}
chunking: {splitter: markdown, size: 48, overlap: 0}
retrieval: {top_k: 1}
answer: {abstain_below: 0, sentences: 1}
"""
OTHERS = "".join(
    f"## cache-{number}\n\nHow many retries npm makes when it fetches from cache {number} is set by fetch retries.\n\n"
    for number in range(12)
)
ASKED_FOR = "## fetch-retries\n\nThe value is 2 by default, and a higher one slows the start of a program a little.\n"


@pytest.mark.parametrize("question", ["What does fetch-retries set?", "What is fetch-retries?"])
def test_a_quote_of_a_named_section_stands_in_the_chunk_that_is_cited(open_tenant: OpenTenant, question: str) -> None:
    engine = open_tenant(PROFILE)
    engine.ingest([DocumentInput(f"# npm settings\n\n{OTHERS}{ASKED_FOR}", "npm", media_type="text/markdown")])
    answer = engine.answer(question)
    chunks = {chunk.chunk_id: chunk for chunk in engine.chunks("npm")}
    [citation], [source] = answer.citations, answer.sources
    assert citation.quote.startswith("The value is 2")
    assert citation.quote in chunks[citation.chunk_id].content
    assert (source.chunk_id, source.content) == (citation.chunk_id, chunks[citation.chunk_id].content)
    assert answer.claims[0].evidence[0].chunk_id == citation.chunk_id
