"""What leads into a chunk: the header of its table, or what its list begins with."""

import time
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.schema import Document

from pipelines.components.splitters import build_splitter
from pipelines.components.splitters.breaks import LeadIns
from pipelines.components.splitters.measures import CharacterMeasure
from pipelines.components.splitters.sections import at_headings
from pipelines.components.store.chunk_nodes import LEAD_IN_KEY
from pipelines.profile.sections.chunking import Chunking
from pipelines.types import Block, Span

KINDS = ["header", "row", "heading", "item", "paragraph"]


def blocks_of(*given: tuple[str, int]) -> list[Block]:
    return [Block(kind, Span(10 * place, 10 * place + 5), level) for place, (kind, level) in enumerate(given)]


def lead_in(blocks: Sequence[Block], place: int) -> Block | None:
    """What leads into a block, looked for from there backwards."""
    inner = blocks[place]
    if inner.kind == "heading" or inner.level == 0:
        return None
    for block in reversed(blocks[:place]):
        if inner.kind == "row" and block.kind == "header" and block.level == inner.level:
            return block
        if block.kind == "heading":
            return None
        if block.level < inner.level:
            return block
    return None


@pytest.mark.parametrize(
    ("given", "place", "lead"),
    [
        ([("header", 1), ("row", 1), ("row", 1)], 2, 0),
        ([("paragraph", 0), ("header", 1), ("row", 1), ("row", 1)], 3, 1),
        ([("paragraph", 0), ("header", 1), ("row", 1)], 1, 0),
        ([("paragraph", 0), ("item", 1), ("item", 2), ("item", 2)], 3, 1),
        ([("paragraph", 0), ("item", 1), ("item", 2), ("item", 1)], 3, 0),
        ([("header", 1), ("row", 1), ("heading", 1), ("row", 1)], 3, None),
        ([("header", 1), ("paragraph", 0), ("row", 1)], 2, 1),
        ([("paragraph", 0), ("paragraph", 0)], 1, None),
    ],
)
def test_a_row_has_its_header_and_an_item_what_its_list_begins_with(
    given: list[tuple[str, int]], place: int, lead: int | None
) -> None:
    blocks = blocks_of(*given)
    assert LeadIns(blocks).into(blocks[place].span.start) == (None if lead is None else blocks[lead])


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 3)), max_size=20))
def test_what_leads_into_a_block_is_the_nearest_before_it_that_may(given: list[tuple[str, int]]) -> None:
    blocks = blocks_of(*given)
    lead_ins = LeadIns(blocks)
    assert lead_ins.into(-1) is None
    for place, block in enumerate(blocks):
        assert lead_ins.into(block.span.start + 7) == lead_in(blocks, place)


def rows(count: int) -> Document:
    lines = ["Part | Stock", *(f"bolt {number} | {number}" for number in range(count))]
    text = "\n\n".join(lines)
    blocks, start = [], 0
    for place, line in enumerate(lines):
        blocks.append(("row" if place else "header", start, start + len(line), 1))
        start += len(line) + 2
    return Document(text=text, metadata={"blocks": blocks})


def test_a_long_table_is_cut_in_a_time_that_grows_with_its_rows() -> None:
    section = Chunking.model_validate({"size": 16, "overlap": 0, "unit": "character"})
    document = rows(12_000)
    began = time.process_time()
    nodes = build_splitter(section, lambda text: np.empty((0, 2), np.int64), lambda texts: np.empty((0, 1)))([document])
    assert time.process_time() - began < 4
    assert len(nodes) > 10_000
    assert {node.metadata.get(LEAD_IN_KEY) for node in nodes[2:]} == {"Part | Stock"}


def test_many_headings_are_told_apart_in_a_time_that_grows_with_their_number() -> None:
    line = "# Title\n\nWords.\n\n"
    headings = [len(line) * number for number in range(20_000)]
    began = time.process_time()
    assert at_headings(line * 20_000, headings, CharacterMeasure("")) == headings
    assert time.process_time() - began < 1
