import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import Document, TextNode

from pipelines.components.splitters import build_splitter
from pipelines.profile.sections.chunking import Chunking
from pipelines.types import Span

WORD = re.compile(r"\S+")


def words(text: str) -> np.ndarray:
    return np.array([match.span() for match in WORD.finditer(text)], dtype=np.int64).reshape(-1, 2)


def splitter(**section: object):
    return build_splitter(Chunking.model_validate(section), words, lambda texts: pytest.fail("nothing is embedded"))


def spans(document: str, headings: tuple[int, ...] | list[int] = (), **section: object) -> list[Span]:
    return [piece.span for piece in splitter(**section).pieces(document, headings)]


def texts(document: str, headings: tuple[int, ...] = (), **section: object) -> list[str]:
    return [document[span.start : span.end] for span in spans(document, headings, **section)]


PROSE = " ".join(f"Sentence number {n} has seven words in it." for n in range(60))


def test_chunks_end_at_sentences_and_stay_within_the_size() -> None:
    chunks = texts(PROSE, size=40, overlap=0)
    assert all(len(chunk.split()) <= 40 for chunk in chunks)
    assert all(chunk.endswith(".") for chunk in chunks)
    assert " ".join(chunks) == PROSE


def test_neighbours_share_whole_sentences() -> None:
    chunks = texts(PROSE, size=40, overlap=10)
    for left, right in pairwise(chunks):
        shared = right[: right.index(".") + 1]
        assert left.endswith(shared)


def test_characters_overlap_as_asked_up_to_a_word() -> None:
    found = spans(PROSE, splitter="character", size=750, overlap=100, unit="character")
    overlaps = [left.end - right.start for left, right in pairwise(found)]
    assert overlaps
    assert all(80 <= overlap <= 120 for overlap in overlaps)
    assert all(span.end - span.start <= 750 for span in found)


def test_no_chunk_crosses_a_heading() -> None:
    document = "# Top\n\n## First\nAbout one.\n\n## Second\nAbout two.\n"
    starts = tuple(match.start() for match in re.finditer("^#", document, re.MULTILINE))
    assert texts(document, starts, splitter="markdown", size=50, overlap=5) == [
        "# Top\n\n## First\nAbout one.",
        "## Second\nAbout two.",
    ]


def test_headings_without_end_stay_with_the_text_below_the_last() -> None:
    document = "# h\n" * 20_000 + "Body.\n# Next\nMore."
    starts = tuple(match.start() for match in re.finditer("^#", document, re.MULTILINE))
    chunks = texts(document, starts, splitter="markdown", size=64, overlap=0)
    assert chunks[-2].endswith("Body.")
    assert chunks[-1] == "# Next\nMore."


def test_text_before_the_first_heading_is_a_section_of_its_own() -> None:
    document = "Preface.\n# A\n# B\nBody.\n# C\nEnd."
    starts = tuple(match.start() for match in re.finditer("^#", document, re.MULTILINE))
    assert texts(document, starts, splitter="markdown", size=64, overlap=0) == [
        "Preface.",
        "# A\n# B\nBody.",
        "# C\nEnd.",
    ]


def test_spans_are_right_where_text_repeats() -> None:
    document = "Same words here. " * 50
    found = spans(document, size=20, overlap=0)
    assert [span.start for span in found] == sorted({span.start for span in found})
    assert found[-1].end == len(document.rstrip())


@pytest.mark.parametrize("text", ["x" * 10_000, "日本語" * 3_000, "word " * 5_000])
def test_text_without_sentences_is_still_cut(text: str) -> None:
    chunks = texts(text, size=64, overlap=8)
    assert len(chunks) > 5
    assert max(len(chunk) for chunk in chunks) <= 64 * 16


def test_neighbours_share_words_where_a_sentence_is_cut() -> None:
    document = " ".join(f"word{n}" for n in range(300))
    chunks = [chunk.split() for chunk in texts(document, size=64, overlap=8)]
    assert [len(chunk) for chunk in chunks[:-1]] == [64] * (len(chunks) - 1)
    assert all(left[-8:] == right[:8] for left, right in pairwise(chunks))


def test_a_sentence_as_long_as_the_overlap_is_not_cut_for_it() -> None:
    document = " ".join(f"Sentence number {n} has seven words in it." for n in range(60))
    assert " ".join(texts(document, size=40, overlap=7)) == document


@pytest.mark.parametrize("kind", ["sentence", "markdown"])
def test_characters_overlap_by_words_where_no_sentence_fits(kind: str) -> None:
    sentences = [f"Sentence number {n} has so many words that it does not fit into the overlap." for n in range(40)]
    document = " ".join(sentences)
    found = spans(document, splitter=kind, size=500, overlap=50, unit="character")
    assert all(30 <= left.end - right.start <= 50 for left, right in pairwise(found))
    assert all(document[span.start - 1].isspace() and document[span.end - 1] == "." for span in found[1:])
    short = " ".join(f"Number {n} is short." for n in range(100))
    fitting = spans(short, splitter=kind, size=500, overlap=50, unit="character")
    assert all(short[span.start :].startswith("Number") for span in fitting), "sentences that fit are shared whole"


def test_words_before_one_without_an_end_are_not_cut_off_with_it_again_and_again() -> None:
    document = " ".join(f"word{n}" for n in range(60)) + " " + "x" * 20_000
    found = spans(document, size=64, overlap=32)
    assert sum(span.end - span.start for span in found) <= 1.1 * len(document)


@pytest.mark.parametrize("blanks", ["\n", " " * 300])
def test_white_space_behind_a_full_chunk_makes_no_other(blanks: str) -> None:
    assert spans("x" * 850 + blanks, **BOOK) == [Span(0, 850)]


def test_as_a_llama_index_node_parser_it_keeps_place_and_source() -> None:
    document = Document(text=PROSE, metadata={"title": "Prose"})
    nodes = splitter(size=40, overlap=10)([document])
    assert len(nodes) > 3
    for node in nodes:
        assert isinstance(node, TextNode)
        assert node.text == PROSE[node.start_char_idx : node.end_char_idx]
        assert node.metadata["title"] == "Prose"
        assert node.ref_doc_id == document.id_


class Hashed(Document):
    """A document that counts how often its text is hashed."""

    _hashed: int = PrivateAttr(default=0)

    @property
    def hash(self) -> str:
        self._hashed += 1
        return super().hash


def test_a_document_is_hashed_once_however_many_chunks_it_makes() -> None:
    document = Hashed(text=PROSE)
    assert len(splitter(size=40, overlap=10)([document])) > 3
    assert document._hashed == 1


@given(
    st.text(alphabet="ab .\n!#", max_size=400),
    st.sampled_from(["sentence", "markdown", "character"]),
    st.integers(16, 40),
    st.integers(0, 8),
    st.lists(st.integers(0, 400), max_size=4),
)
def test_chunks_move_forward_and_lose_nothing_but_space(
    text: str, kind: str, size: int, overlap: int, headings: list[int]
) -> None:
    starts = [start for start in headings if start < len(text)]
    found = spans(text, starts, splitter=kind, size=size, overlap=overlap)
    position = 0
    for left, right in pairwise(found):
        assert left.start < right.start
        assert left.end < right.end
    for span in found:
        assert not text[position : span.start].strip()
        assert span.start < span.end
        position = max(position, span.end)
    assert not text[position:].strip()


BOOK = {"splitter": "character", "size": 850, "overlap": 100, "unit": "character", "fill": 0.78}


@settings(max_examples=200)
@given(
    st.lists(
        st.lists(st.text("abcdefg", min_size=1, max_size=14), min_size=1, max_size=60).map(" ".join),
        min_size=30,
        max_size=120,
    )
)
def test_characters_make_chunks_of_nearly_one_length_that_share_nearly_as_much(sentences: list[str]) -> None:
    document = ". ".join(sentences)
    found = spans(document, **BOOK)
    assert all(span.end - span.start <= 850 for span in found)
    assert all(span.end - span.start >= 650 for span in found[:-1])
    assert all(80 <= before.end - after.start <= 120 for before, after in pairwise(found))
    assert found[-1].end == len(document.rstrip())


def test_characters_without_any_word_are_cut_at_the_exact_overlap() -> None:
    found = spans("x" * 3_000, **BOOK)
    assert [(span.start, span.end) for span in found[:2]] == [(0, 850), (750, 1600)]
