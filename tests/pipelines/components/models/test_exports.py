"""Exporting models, the bundled one and one's own, of which a small random one stands for all."""

import json
import shutil
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipelines.components.embedding import build_embedding, export_model
from pipelines.components.models.exported import find_model
from pipelines.components.models.known_models import KNOWN
from pipelines.components.models.model_source import read_source
from pipelines.components.models.weights import read_safetensors
from pipelines.errors import EmbeddingUnavailable, ModelMissing
from pipelines.profile.sections.embedding import HuggingFaceEmbedding

TEXTS = ["", "a", "Beagles howl, 日本語 too.", "A long text goes on. " * 120]


def test_an_export_is_done_once(tmp_path: Path) -> None:
    first = export_model(tmp_path)
    written = (first / "model.onnx").stat().st_mtime_ns
    assert export_model(tmp_path) == first
    assert (first / "model.onnx").stat().st_mtime_ns == written
    assert find_model("bundled", "none", tmp_path).dimensions == 384
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_an_export_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    left = tmp_path / ".unfinished-left"
    left.mkdir()
    (left / ".scratch").touch()  # what marks a folder that its process has locked
    (left / "model.onnx").write_bytes(b"half of a model")
    folder = export_model(tmp_path, model=str(small_model(tmp_path / "small")))
    assert not left.exists()
    assert {path.name for path in folder.iterdir()} == {
        "config.json",
        "model.onnx",
        "model.onnx.data",
        "tokenizer.json",
    }
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_an_export_is_readable_by_other_users(tmp_path: Path) -> None:
    files = [path for path in export_model(tmp_path).iterdir() if path.is_file()]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o644}


def test_exports_of_the_same_weights_are_equal_byte_for_byte(tmp_path: Path) -> None:
    source = small_model(tmp_path / "small")
    folders = [export_model(tmp_path / name, "int8", str(source)) for name in ("one", "two")]
    one, two = ({file.name: file.read_bytes() for file in folder.iterdir()} for folder in folders)
    assert one == two


def test_an_export_without_its_files_is_missing(tmp_path: Path) -> None:
    (export_model(tmp_path) / "model.onnx").unlink()
    with pytest.raises(ModelMissing, match="footnote models export"):
        find_model("bundled", "none", tmp_path)


@pytest.mark.parametrize(("added", "found"), [("", True), ("passage: ", False)])
def test_an_export_of_a_later_release_is_used_if_it_asks_for_nothing_unknown(
    tmp_path: Path, added: str, found: bool
) -> None:
    export_model(tmp_path)
    (record,) = tmp_path.glob("*.json")
    write_json(record, json.loads(record.read_text(encoding="utf-8")) | {"later_setting": added})
    if found:
        assert find_model("bundled", "none", tmp_path).dimensions == 384
    else:
        with pytest.raises(ModelMissing, match="footnote models export"):
            find_model("bundled", "none", tmp_path)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_a_model_of_ones_own_gives_what_it_gives_on_torch(tmp_path: Path, kind: str, pooling: str) -> None:
    source = small_model(tmp_path / "small", kind, pooling)
    export_model(tmp_path, model=str(source))
    section = HuggingFaceEmbedding(model=str(source), quantize="none")
    onnx = build_embedding(section, tmp_path).vectors(TEXTS)
    torch = build_embedding(section.model_copy(update={"backend": "torch"}), tmp_path).vectors(TEXTS)
    assert (onnx * torch).sum(axis=1).min() > 0.9999
    assert (onnx @ onnx.T)[~np.eye(len(TEXTS), dtype=bool)].max() < 0.99


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("1_Pooling/config.json", {"pooling_mode": "cls"}),
        ("tokenizer_config.json", {"model_max_length": 8}),
        ("tokenizer.json", {"normalizer": None}),
    ],
)
def test_a_change_beside_the_weights_makes_another_export(tmp_path: Path, file: str, change: dict[str, Any]) -> None:
    source, section = small_model(tmp_path / "small"), HuggingFaceEmbedding(model=str(tmp_path / "small"))
    before = export_model(tmp_path, section.quantize, str(source))
    model = build_embedding(section, tmp_path)
    write_json(source / file, json.loads((source / file).read_text(encoding="utf-8")) | change)
    assert export_model(tmp_path, section.quantize, str(source)) != before
    changed = build_embedding(section, tmp_path)
    assert changed.fingerprint != model.fingerprint
    assert not np.allclose(changed.vectors(TEXTS[2:]), model.vectors(TEXTS[2:]))


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("config.json", {"model_type": "mpnet"}, "only BERT and RoBERTa"),
        ("config.json", {"hidden_act": "relu"}, "with GELU"),
        ("1_Pooling/config.json", {"pooling_mode": "max"}, r"its pooling \(max\)"),
    ],
)
def test_a_model_that_cannot_be_exported_says_why(
    tmp_path: Path, file: str, change: dict[str, Any], message: str
) -> None:
    source = small_model(tmp_path / "small")
    write_json(source / file, json.loads((source / file).read_text()) | change)
    with pytest.raises(EmbeddingUnavailable, match=message):
        export_model(tmp_path / "models", model=str(source))
    assert not (tmp_path / "models").exists()


@pytest.mark.parametrize("quantize", ["none", "int8"])
@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("config.json", b"{"),
        ("config.json", b"[]"),
        ("config.json", b'{"model_type": "bert", "hidden_act": "gelu"}'),
        ("model.safetensors", b""),
        ("model.safetensors", b"version https://git-lfs.github.com/spec/v1\n"),
        ("tokenizer.json", b"{"),
        ("modules.json", b'{"a": 1}'),
    ],
)
def test_a_model_with_a_damaged_file_is_refused_and_not_kept(
    tmp_path: Path, file: str, said: bytes, quantize: str
) -> None:
    source = small_model(tmp_path / "small")
    (source / file).write_bytes(said)
    with pytest.raises(EmbeddingUnavailable, match=r"small is not available: its files are damaged, or of different"):
        export_model(tmp_path / "models", quantize, str(source))
    assert not list((tmp_path / "models").glob("*"))


def test_a_model_whose_files_do_not_fit_together_is_refused(tmp_path: Path) -> None:
    source = small_model(tmp_path / "small")
    config = json.loads((source / "config.json").read_text())
    write_json(source / "config.json", config | {"hidden_size": 16})
    with pytest.raises(EmbeddingUnavailable, match="its files are damaged, or of different models"):
        export_model(tmp_path / "models", model=str(source))


def test_a_folder_without_a_model_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingUnavailable, match=r"no model\.safetensors"):
        export_model(tmp_path / "models", model=str(tmp_path))


def test_old_and_new_ways_to_state_pooling_and_length_are_read(tmp_path: Path) -> None:
    new = read_source(small_model(tmp_path / "small", pooling="cls"))
    assert (new.pooling, new.most_tokens) == ("cls", 96)
    bundled = read_source(KNOWN["bundled"].weights())
    assert (bundled.pooling, bundled.most_tokens) == ("mean", 256)


def test_tensors_are_read_as_they_were_written(tmp_path: Path) -> None:
    import torch
    from safetensors.torch import save_file

    written = {"half": torch.tensor([[1.5, -2.0]]).half(), "brain": torch.tensor([3.0, -0.5]).bfloat16()}
    save_file(written | {"whole": torch.tensor([7]), "float": torch.tensor([0.1])}, tmp_path / "tensors")
    found = read_safetensors(tmp_path / "tensors")
    assert {name: tensor.tolist() for name, tensor in found.items()} == {
        "half": [[1.5, -2.0]],
        "brain": [3.0, -0.5],
        "whole": [7],
        "float": [np.float32(0.1)],
    }


def small_model(folder: Path, kind: str = "bert", pooling: str = "mean") -> Path:
    """A random model of two layers and the bundled words, kept as sentence-transformers 5 and later does."""
    import torch
    from transformers import AutoConfig, AutoModel

    torch.manual_seed(1)
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
    shape |= {"vocab_size": 30522, "max_position_embeddings": 128}
    config = AutoConfig.for_model(kind, initializer_range=0.5, **shape)
    AutoModel.from_config(config).save_pretrained(folder)
    shutil.copy(KNOWN["bundled"].weights() / "tokenizer.json", folder)
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 96})
    kept = {"": "Transformer", "1_Pooling": "Pooling", "2_Normalize": "Normalize"}
    modules = [{"path": path, "type": f"sentence_transformers.models.{name}"} for path, name in kept.items()]
    write_json(folder / "modules.json", [{"idx": n, "name": str(n), **module} for n, module in enumerate(modules)])
    write_json(folder / "1_Pooling/config.json", {"embedding_dimension": 32, "pooling_mode": pooling})
    return folder


def write_json(path: Path, said: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(said), encoding="utf-8")


def test_prefixes_are_those_that_the_folder_declares(tmp_path: Path) -> None:
    source = small_model(tmp_path / "small")
    prompts = {"query": "query: ", "passage": "passage: ", "corpus": "no: "}
    write_json(source / "config_sentence_transformers.json", {"prompts": prompts})
    made = read_source(source)
    assert (made.query_prefix, made.text_prefix) == ("query: ", "passage: ")


@pytest.mark.parametrize(("file", "said"), [("model.safetensors", b"{"), ("config.json", b"[]")])
def test_a_model_with_a_damaged_file_is_refused_on_torch(tmp_path: Path, file: str, said: bytes) -> None:
    source = small_model(tmp_path / "small")
    (source / file).write_bytes(said)
    with pytest.raises(EmbeddingUnavailable, match="its files are damaged"):
        build_embedding(HuggingFaceEmbedding(model=str(source), backend="torch"), tmp_path)
