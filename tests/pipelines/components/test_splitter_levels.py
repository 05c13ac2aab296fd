"""The splitter ``hierarchical``: chunks cut from larger pieces, each known by its span."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.schema import Document

from pipelines.components.splitters import build_splitter
from pipelines.components.splitters.spans import Piece
from pipelines.profile.sections.chunking import Chunking
from pipelines.types import Span

PROSE = " ".join(f"Sentence number {n} has seven words in it." for n in range(200))


def words(text: str) -> np.ndarray:
    return np.array([match.span() for match in re.finditer(r"\S+", text)], dtype=np.int64).reshape(-1, 2)


def splitter(**section: object):
    chunking = Chunking.model_validate({"splitter": "hierarchical", **section})
    return build_splitter(chunking, words, lambda texts: pytest.fail("nothing is embedded"))


def pieces(text: str, **section: object) -> list[Piece]:
    return splitter(**section).pieces(text)


def length(text: str, span: Span) -> int:
    return len(text[span.start : span.end].split())


def holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def test_every_chunk_lies_in_one_parent_of_each_level_the_innermost_first() -> None:
    found = pieces(PROSE, size=24, overlap=8, parents=[240, 80])
    assert {len(piece.parents) for piece in found} == {2}
    for piece in found:
        assert holds(piece.parents[0], piece.span)
        assert holds(piece.parents[1], piece.parents[0])
        assert [length(PROSE, span) <= most for span, most in zip(piece.parents, (80, 240), strict=True)] == [True] * 2
        assert length(PROSE, piece.span) <= 24


def test_parents_share_nothing_and_their_chunks_share_whole_sentences() -> None:
    found = pieces(PROSE, size=24, overlap=8, parents=[80])
    parents = list(dict.fromkeys(piece.parents[0] for piece in found))
    assert all(left.end <= right.start for left, right in pairwise(parents))
    for left, right in pairwise(found):
        shared = PROSE[right.span.start : left.span.end]
        assert left.parents != right.parents or shared.endswith(".")


def test_by_default_there_is_one_parent_level_of_four_times_the_size() -> None:
    assert max(length(PROSE, piece.parents[0]) for piece in pieces(PROSE, size=20, overlap=0)) in range(60, 81)


def test_a_text_that_fits_a_chunk_has_no_parents() -> None:
    assert pieces(" Short enough. \n", size=16, overlap=0) == [Piece(Span(1, 14))]


def test_only_hierarchical_nodes_name_their_parents() -> None:
    document = Document(text=PROSE)
    for node, piece in zip(splitter(size=24, overlap=8)([document]), pieces(PROSE, size=24, overlap=8), strict=True):
        assert node.metadata["parents"] == [(parent.start, parent.end) for parent in piece.parents]
    flat = build_splitter(Chunking(size=24, overlap=8), words, lambda texts: pytest.fail("nothing is embedded"))
    assert not any("parents" in node.metadata for node in flat([document]))


@given(
    st.text(alphabet="ab .\n!#|日。\u00a0é\U0001f415", max_size=600),
    st.integers(16, 24),
    st.integers(0, 8),
    st.sampled_from([[], [64], [96, 40]]),
    st.sampled_from(["token", "character"]),
)
def test_levels_nest_and_the_chunks_lose_nothing_but_space(
    text: str, size: int, overlap: int, parents: list[int], unit: str
) -> None:
    found = pieces(text, size=size, overlap=overlap, parents=parents, unit=unit)
    position = 0
    for piece in found:
        assert not text[position : piece.span.start].strip()
        assert text[piece.span.start : piece.span.end].strip() == text[piece.span.start : piece.span.end] != ""
        assert (piece.span.end - piece.span.start if unit == "character" else length(text, piece.span)) <= size
        outward = [piece.span, *piece.parents]
        assert all(holds(outer, inner) and outer != inner for inner, outer in pairwise(outward))
        position = max(position, piece.span.end)
    assert not text[position:].strip()
