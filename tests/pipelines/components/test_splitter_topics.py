"""The splitter ``semantic``: chunks that end where the topic changes, told by the bundled model."""

import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.components.embedding import build_embedding, build_tokenizer, models_folder
from pipelines.components.splitters import build_splitter
from pipelines.components.splitters.topics import Vectors
from pipelines.profile.sections.chunking import Chunking
from pipelines.profile.sections.embedding import HuggingFaceEmbedding

BREAD = (
    "Sourdough bread rises slowly because wild yeast ferments the dough. Knead the dough until the gluten is smooth. "
    "Bake the loaf in a hot oven until its crust is brown. Let the bread cool before you slice the loaf. "
)
COURT = (
    "The appeal court overturned the verdict of the lower judge. The defendant's lawyer filed a motion for a retrial. "
    "Jurors must not discuss the trial with the press. The judge sentenced the defendant to probation. "
)
OCEAN = (
    "Coral reefs shelter a quarter of all fish in the sea. Warm ocean water bleaches the coral. "
    "Whales dive deep below the waves to hunt for squid. Currents carry plankton across the ocean. "
)
TEXT = (BREAD + COURT + OCEAN).strip()


@pytest.fixture(scope="module")
def bundled() -> HuggingFaceEmbedding:
    return HuggingFaceEmbedding()


@pytest.fixture(scope="module")
def vectors(bundled: HuggingFaceEmbedding) -> Vectors:
    return build_embedding(bundled, models_folder()).vectors


def words(text: str) -> np.ndarray:
    return np.array([match.span() for match in re.finditer(r"\S+", text)], dtype=np.int64).reshape(-1, 2)


def letters(texts: Sequence[str]) -> np.ndarray:
    """Vectors that tell nothing of meaning, always the same for the same text."""
    counts = np.array([[text.count(letter) for letter in "ab !"] for text in texts], dtype=np.float32)
    return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-6)


def cut(text: str, vectors: Vectors, headings: Sequence[int] = (), **section: object) -> list[str]:
    chunking = Chunking.model_validate({"splitter": "semantic", **section})
    found = build_splitter(chunking, words, vectors).pieces(text, headings)
    return [text[piece.span.start : piece.span.end] for piece in found]


def test_chunks_end_where_the_topic_changes(vectors: Vectors) -> None:
    assert cut(TEXT, vectors, size=64, overlap=0, percentile=80) == [BREAD.strip(), COURT.strip(), OCEAN.strip()]


def test_the_model_s_own_tokens_measure_and_the_same_text_is_cut_the_same_way(
    bundled: HuggingFaceEmbedding, vectors: Vectors
) -> None:
    tokens = build_tokenizer(bundled, models_folder()).spans
    splitter = build_splitter(Chunking(splitter="semantic", size=96, overlap=16), tokens, vectors)
    first = splitter.pieces(TEXT * 5)
    assert first == splitter.pieces(TEXT * 5)
    assert all(len(tokens(TEXT * 5)[:, 0]) > 96 >= len(tokens((TEXT * 5)[p.span.start : p.span.end])) for p in first)


def test_a_topic_longer_than_a_chunk_is_cut_at_sentences_that_overlap(vectors: Vectors) -> None:
    found = cut(BREAD * 3 + OCEAN * 3, vectors, size=32, overlap=16)
    assert all(len(chunk.split()) <= 32 for chunk in found)
    assert all(chunk.endswith(".") for chunk in found)
    assert not any("loaf" in chunk and "ocean" in chunk for chunk in found)


def test_a_topic_of_few_words_stays_with_its_neighbour(vectors: Vectors) -> None:
    found = cut(BREAD + "Whales hunt squid. " + COURT, vectors, size=96, overlap=0, percentile=60)
    assert not any(len(chunk.split()) < 24 for chunk in found)


def test_a_heading_stays_with_what_follows_it(vectors: Vectors) -> None:
    text = f"{BREAD}\n\n## The whales of the ocean\n\n{COURT}\n"
    found = cut(text, vectors, (text.index("##"),), size=64, overlap=0, percentile=50)
    assert not any(chunk.endswith("ocean") for chunk in found)


def test_each_document_is_one_call_of_the_model() -> None:
    calls = []

    def counted(texts: Sequence[str]) -> np.ndarray:
        calls.append(len(texts))
        return letters(texts)

    assert cut("One sentence alone.", counted, size=16, overlap=0) == ["One sentence alone."]
    cut(TEXT, counted, size=16, overlap=0)
    assert calls == [12]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n ",
        "x" * 5000,
        "日本語" * 900,
        "| a | b |\n" * 200,
        "# \n\n## \n\n### \n\nBody.\n" * 20,
        "... ! ? \u00a0" * 90,
    ],
    ids=["empty", "blank", "long word", "no spaces", "table", "empty headings", "no words"],
)
def test_nasty_texts_are_cut_within_the_size(text: str, vectors: Vectors) -> None:
    headings = [match.start() for match in re.finditer(r"^#", text, re.MULTILINE)]
    found = cut(text, vectors, headings, size=32, overlap=8)
    assert all(len(chunk.split()) <= 32 and len(chunk) <= 32 * 16 for chunk in found)
    assert "".join("".join(found).split()) != "" or not text.strip()


@given(
    st.text(alphabet="ab .\n!#|。é\U0001f415", max_size=500), st.integers(16, 40), st.integers(0, 8), st.integers(0, 99)
)
def test_chunks_lose_nothing_but_space_and_stay_within_the_size(
    text: str, size: int, overlap: int, percentile: int
) -> None:
    chunking = Chunking(splitter="semantic", unit="character", size=size, overlap=overlap, percentile=percentile)
    position = 0
    for piece in build_splitter(chunking, words, letters).pieces(text, [0, 7, 7, 30]):
        span = piece.span
        assert not text[position : span.start].strip()
        assert 0 < span.end - span.start <= size
        position = max(position, span.end)
    assert not text[position:].strip()
