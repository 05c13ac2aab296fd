from collections.abc import Iterator

import numpy as np
import pytest
from pydantic import TypeAdapter

from pipelines.components.embedding import Embedder
from pipelines.components.embedding.remote import RemoteEncoder
from pipelines.errors import EmbeddingUnavailable, PartTimeout
from pipelines.profile.sections.embedding import EmbeddingSection
from tests.fakes.embedding_server import DIMENSIONS, Recorded, embedding_server, vector

PATHS = {"ollama": "/api/embed", "openai": "/v1/embeddings", "tei": "/embed"}


@pytest.fixture
def server() -> Iterator[Recorded]:
    with embedding_server() as recorded:
        yield recorded


def embedder(server: Recorded, provider: str, model: str = "m", **section: object) -> Embedder:
    url = f"{server.url}/v1" if provider == "openai" else server.url
    said = {"provider": provider, "model": model, "base_url": url, "dimensions": DIMENSIONS, **section}
    return Embedder(RemoteEncoder(TypeAdapter(EmbeddingSection).validate_python(said)))


@pytest.mark.parametrize("provider", PATHS)
def test_vectors_are_ordered_batched_and_of_unit_length(server: Recorded, provider: str) -> None:
    texts = ["a", "bb", "aaa", "dddd", "eeeee"]
    found = embedder(server, provider, batch_size=2).vectors(texts)
    expected = np.array([vector(text) for text in texts])
    assert np.allclose(found, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    assert server.paths == [PATHS[provider]] * 3
    assert server.batches == [["a", "bb"], ["aaa", "dddd"], ["eeeee"]]


def test_llama_index_can_use_it_as_any_embedding(server: Recorded) -> None:
    model = embedder(server, "ollama")
    assert model.get_query_embedding("abc") == pytest.approx(model.vectors(["abc"])[0].tolist())
    assert len(model.get_text_embedding_batch(["a", "b", "c"])) == 3


def test_no_texts_send_no_request(server: Recorded) -> None:
    assert embedder(server, "tei").vectors([]).shape == (0, DIMENSIONS)
    assert server.paths == []


def test_a_busy_server_is_asked_again(server: Recorded) -> None:
    assert embedder(server, "ollama", "busy-twice").vectors(["a"]).shape == (1, DIMENSIONS)
    assert len(server.paths) == 3


def test_a_refusal_is_not_retried_and_its_reason_hides_the_key(server: Recorded) -> None:
    with pytest.raises(EmbeddingUnavailable, match=r"status 401: Incorrect API key: Bearer \*\*\*$") as caught:
        embedder(server, "openai", "forbidden", api_key="hidden-key").vectors(["a"])
    assert "hidden-key" not in str(caught.value)
    assert server.keys == ["Bearer hidden-key"]


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("broken", "connection broke"),
        ("odd", "no embeddings"),
        ("none", "no embeddings"),
        ("page", "not JSON"),
        ("deep", "not JSON"),
        ("large", "no embeddings"),
        ("short", "1 vectors for 2 texts"),
        ("gone", "status 404: model .* try pulling it first"),
    ],
)
def test_an_unusable_response_is_reported_plainly(server: Recorded, model: str, message: str) -> None:
    with pytest.raises(EmbeddingUnavailable, match=message):
        embedder(server, "ollama", model).vectors(["a", "b"])


@pytest.mark.parametrize(("model", "asked"), [("text-embedding-3-small", DIMENSIONS), ("nomic", None)])
def test_only_models_that_shorten_vectors_are_asked_for_a_length(
    server: Recorded, model: str, asked: int | None
) -> None:
    embedder(server, "openai", model).vectors(["a"])
    assert server.bodies[0].get("dimensions") == asked


def test_half_a_character_is_sent_as_a_question_mark(server: Recorded) -> None:
    embedder(server, "ollama").vectors(["a\ud800b"])
    assert server.batches == [["a?b"]]


def test_vectors_of_another_length_say_what_to_set(server: Recorded) -> None:
    with pytest.raises(EmbeddingUnavailable, match="have 4 dimensions; set embedding -> dimensions"):
        embedder(server, "tei", dimensions=384).vectors(["a"])


def test_a_slow_server_times_out(server: Recorded) -> None:
    with pytest.raises(PartTimeout, match=r"within 0\.2 s"):
        embedder(server, "ollama", "slow", timeout_s=0.2).vectors(["a"])


def test_an_unreachable_server_is_named() -> None:
    with pytest.raises(EmbeddingUnavailable, match=r"ollama, model m.*no server answers"):
        embedder(Recorded(url="http://127.0.0.1:9"), "ollama").vectors(["a"])
