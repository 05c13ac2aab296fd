import numpy as np
import pytest

from pipelines.components.embedding import TokenEmbedder, build_embedding, models_folder
from pipelines.components.embedding.onnx import EncodedText, OnnxEncoder
from pipelines.components.embedding.tokens import chunk_tokens, question_tokens
from pipelines.components.models.exported import find_model
from pipelines.profile.sections.embedding import HuggingFaceEmbedding, TeiEmbedding

TEXTS = [
    "Beagles need about an hour of exercise a day.",
    "",
    "a",
    "Ünïcödé, 日本語, and emoji 🐕 in one text.",
    "A long text goes on. " * 120,
]


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    return OnnxEncoder(find_model("bundled", "int8", models_folder()))


@pytest.fixture(scope="module")
def embedder() -> TokenEmbedder:
    made = build_embedding(HuggingFaceEmbedding(), models_folder(), "stored")
    assert isinstance(made, TokenEmbedder)
    return made


def encoded(states: list[list[float]], words: list[int]) -> EncodedText:
    return EncodedText(np.zeros(2, np.float32), np.array(states, np.float32), np.array(words, np.int64))


def test_the_vector_of_a_text_is_pooled_of_the_states_that_come_with_it(encoder: OnnxEncoder) -> None:
    for text in TEXTS:
        found = encoder.encoded(text)
        pooled = found.states.mean(axis=0)
        assert np.allclose(found.vector, pooled / np.linalg.norm(pooled), atol=1e-5)
        assert np.array_equal(found.vector, encoder.vectors([text])[0])


def test_tokens_know_their_words_and_the_models_own_marks_have_none(encoder: OnnxEncoder) -> None:
    words = encoder.encoded("reconciliation of ledgers").words.tolist()
    assert words[0] == words[-1] == -1
    assert sorted(set(words)) == [-1, 0, 1, 2]


def test_a_question_keeps_every_token_and_their_lengths_sum_to_one() -> None:
    tokens = question_tokens(encoded([[9, 9], [3, 4], [0, 15], [9, 9]], [-1, 0, 0, -1]))
    assert tokens == pytest.approx(np.array([[0.15, 0.2], [0, 0.75]]))


def test_a_question_without_words_has_no_tokens() -> None:
    assert question_tokens(encoded([[9, 9], [9, 9]], [-1, -1])).shape == (0, 2)
    assert chunk_tokens(encoded([[9, 9], [9, 9]], [-1, -1])).shape == (0, 2)


def test_the_pieces_of_a_word_become_one_vector_and_the_most_alike_words_merge() -> None:
    pieces = [[1, 0], [0, 1], [1, 1], [-1, 0]]
    tokens = chunk_tokens(encoded(pieces, [0, 0, 1, 2]))
    half = np.sqrt(0.5)
    assert tokens == pytest.approx(np.array([[-1, 0], [half, half]]), abs=1e-6)


@pytest.mark.parametrize("count", range(1, 12))
def test_half_of_the_words_are_left_as_unit_vectors(count: int) -> None:
    states = np.random.default_rng(count).normal(size=(count, 6)).tolist()
    tokens = chunk_tokens(encoded(states, list(range(count))))
    assert len(tokens) == (count + 1) // 2
    assert np.allclose(np.linalg.norm(tokens, axis=1), 1, atol=1e-5)


def test_several_texts_get_what_each_gets_alone(embedder: TokenEmbedder, encoder: OnnxEncoder) -> None:
    together = embedder.embedded(TEXTS)
    for text, vector, tokens in zip(TEXTS, together.vectors, together.tokens, strict=True):
        assert np.array_equal(vector, encoder.vectors([text])[0])
        assert np.array_equal(tokens, chunk_tokens(encoder.encoded(text)).astype(np.float16))
    assert [len(tokens) for tokens in together.tokens][1:3] == [0, 1]


def test_vectors_match_the_plain_embedder_and_the_fingerprint_covers_what_is_stored(
    embedder: TokenEmbedder,
) -> None:
    plain = build_embedding(HuggingFaceEmbedding(), models_folder())
    asked = build_embedding(HuggingFaceEmbedding(), models_folder(), "asked")
    assert np.array_equal(embedder.vectors(TEXTS), plain.vectors(TEXTS))
    assert np.array_equal(embedder.vectors(TEXTS[:1]), plain.vectors(TEXTS[:1]))
    assert not isinstance(plain, TokenEmbedder)
    assert isinstance(asked, TokenEmbedder)
    assert asked.fingerprint == plain.fingerprint
    assert embedder.fingerprint == f"{plain.fingerprint}+tokens1"


def test_the_vector_of_a_question_that_is_kept_cannot_be_changed(embedder: TokenEmbedder) -> None:
    with pytest.raises(ValueError, match="read-only"):
        embedder.query_vector("How long?")[0] = 1


def test_a_model_on_a_server_gives_no_tokens() -> None:
    section = TeiEmbedding(provider="tei", model="x", base_url="http://127.0.0.1:1", dimensions=4)
    assert not isinstance(build_embedding(section, models_folder(), "stored"), TokenEmbedder)
