"""A multilingual model out of a packed file, against PyTorch's BERT with the same weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pipelines
from pipelines.components.embedding import build_embedding
from pipelines.components.models.exported import find_model
from pipelines.components.models.known_models import KNOWN
from pipelines.components.models.packed import read_packed
from pipelines.components.models.registry import add_model
from pipelines.components.models.tokenizer import load_tokenizer
from pipelines.errors import WeightsChanged
from pipelines.profile.sections.embedding import HuggingFaceEmbedding
from tests.fakes.packed_models import PIECES, SHAPE, packed_model, tensors

NAME = "tiny-multilingual"
PLAIN = HuggingFaceEmbedding(model=NAME, quantize="none")
TEXTS = ["", "the dog", "der Hund\tbellt.", "añb\u200bc ﬁ\x07x?"]


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of exported models, with the package of the tiny one installed."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(KNOWN, NAME, packed_model(tmp_path))  # type: ignore[arg-type]
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


def test_every_weight_is_read_as_it_was(models: Path, tmp_path: Path) -> None:
    packed = read_packed(tmp_path / "tinypacked" / "tiny.bin")
    written = tensors()
    assert len(packed.tensors) == len(written)
    assert (packed.tensors["encoder.layer.1.output.dense.weight"] == written["l1.fo.w"]).all()
    assert (packed.tensors["encoder.layer.0.attention.self.query.bias"] == written["l0.q.b"]).all()
    assert (packed.tensors["embeddings.word_embeddings.weight"] == written["emb.word"]).all()
    assert [piece for piece, _ in packed.pieces] == PIECES
    assert packed.replaced == {"\t": " ", "\u200b": " ", "\x07": ""}  # NFKC makes "fi" of the ligature


def test_its_vectors_are_those_of_pytorch(models: Path, tmp_path: Path) -> None:
    import torch
    from transformers import BertConfig, BertModel

    add_model(NAME, models, "none")
    tokens = load_tokenizer(find_model(NAME, "none", models).tokenizer)
    bert = BertModel(BertConfig(**{**SHAPE, "vocab_size": len(PIECES)}), add_pooling_layer=False).eval()
    weights = read_packed(tmp_path / "tinypacked" / "tiny.bin").tensors
    missing = bert.load_state_dict({name: torch.tensor(matrix) for name, matrix in weights.items()}, strict=False)
    assert not missing.unexpected_keys
    expected = []
    for text in TEXTS:
        ids = torch.tensor([tokens.encode(f"passage: {text}").ids])
        pooled = bert(ids).last_hidden_state.mean(dim=1)[0].detach().numpy()
        expected.append(pooled / np.linalg.norm(pooled))
    embedder = build_embedding(PLAIN, models)
    assert embedder.vectors(TEXTS) == pytest.approx(np.array(expected), abs=1e-4)
    assert embedder.query_vector("the dog") != pytest.approx(embedder.vectors(["the dog"])[0], abs=1e-3)


def test_its_tokenizer_normalises_as_the_file_says(models: Path) -> None:
    tokens = load_tokenizer(find_model(add_model(NAME, models, "none").name, "none", models).tokenizer)
    assert tokens.encode("the\t\u200bdog\x07").tokens == ["<s>", "▁the", "▁dog", "</s>"]
    assert tokens.encode("ﬁ").tokens == ["<s>", "▁", "f", "i", "</s>"]
    assert tokens.encode("の").ids == [0, 4, 3, 2]  # an unknown character


def test_what_stands_before_texts_is_part_of_the_models_name(models: Path) -> None:
    add_model(NAME, models, "none")
    own, bare = (build_embedding(one, models) for one in (PLAIN, PLAIN.model_copy(update={"text_prefix": ""})))
    assert own.fingerprint == f"{bare.fingerprint}<passage:"
    assert own.vectors(["a"]) == pytest.approx(bare.vectors(["passage: a"]), abs=1e-6)


def test_a_tenant_finds_with_it(models: Path, tmp_path: Path) -> None:
    add_model(NAME, models)
    profile = {"tenant": "t", "embedding": {"model": NAME}, "rerank": [{"type": "late_interaction", "store": True}]}
    with pipelines.open_engine(profile, tmp_path / "data") as engine:
        engine.ingest([pipelines.DocumentInput("der hund", "de"), pipelines.DocumentInput("the dog", "en")])
        assert {hit.document_id for hit in engine.search("the dog", mode="dense").hits} == {"de", "en"}


def test_other_weights_are_refused(models: Path, tmp_path: Path) -> None:
    (tmp_path / "tinypacked" / "tiny.bin").write_bytes(b"E5S1")
    with pytest.raises(WeightsChanged, match="does not hold the weights of tiny-multilingual"):
        add_model(NAME, models)
