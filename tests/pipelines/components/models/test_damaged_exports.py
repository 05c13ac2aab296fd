"""Exports that were cut off, or deleted in part: what is said of them, and how they become whole again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pipelines.components.embedding import build_embedding, build_tokenizer
from pipelines.components.models.exported import ExportedModel, named_record
from pipelines.components.models.missing import missing_models
from pipelines.components.models.registry import add_model, list_models, remove_model
from pipelines.errors import ModelDamaged
from pipelines.profile.schema import Profile
from pipelines.profile.sections.embedding import HuggingFaceEmbedding, OllamaEmbedding
from tests.pipelines.components.models.test_exports import small_model

MINE = HuggingFaceEmbedding(model="mine")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    add_model("mine", folder / "models", place=str(small_model(folder / "small")))
    return folder


@pytest.fixture
def models(exported: Path, tmp_path: Path) -> Path:
    shutil.copytree(exported, tmp_path, dirs_exist_ok=True)
    return tmp_path / "models"


def exported_in(models: Path) -> Path:
    return next(models.glob("mine-*/"))


def made(models: Path) -> ExportedModel:
    return add_model("mine", models, place=str(models.parent / "small"))


@pytest.mark.parametrize("said", ["", "{", "[]", "{}", '{"name": "mine", "folder": "mine"}', "\udcff"])
def test_a_damaged_record_says_how_to_write_it_again(models: Path, said: str) -> None:
    (models / named_record("mine", "int8")).write_text(said, errors="surrogateescape")
    message = (
        r"the record \S*mine-int8-4.json of an exported model is damaged; run: footnote models add mine --from DIR$"
    )
    with pytest.raises(ModelDamaged, match=message):
        build_embedding(MINE, models)
    with pytest.raises(ModelDamaged, match=message):
        list_models(models)
    made(models)
    assert build_embedding(MINE, models).dimensions == 32


@pytest.mark.parametrize(
    ("file", "rest"), [("model.onnx", None), ("model.onnx.data", 0.5), ("tokenizer.json", 0.0), ("config.json", 0.5)]
)
def test_adding_a_damaged_model_again_makes_it_whole(models: Path, file: str, rest: float | None) -> None:
    damaged = exported_in(models) / file
    content = damaged.read_bytes()
    damaged.unlink()
    if rest is not None:
        damaged.write_bytes(content[: int(rest * len(content))])
    assert (made(models).folder / file).read_bytes() == content
    assert build_embedding(MINE, models).vectors(["a beagle"]).shape == (1, 32)


@pytest.mark.parametrize("file", ["model.onnx", "model.onnx.data", "tokenizer.json"])
def test_a_model_whose_files_were_cut_off_says_how_to_make_it_whole(models: Path, file: str) -> None:
    damaged = exported_in(models) / file
    damaged.write_bytes(damaged.read_bytes()[:100])
    message = r"the exported model in \S*/mine-\S* is damaged; run: footnote models add mine --from DIR$"
    with pytest.raises(ModelDamaged, match=message):
        build_embedding(MINE, models)


def test_a_damaged_tokenizer_that_only_measures_chunks_says_so(models: Path) -> None:
    (add_model("bundled", models, "none").tokenizer).write_text("{")
    tokenizer = build_tokenizer(OllamaEmbedding(provider="ollama", model="served", dimensions=8), models)
    with pytest.raises(ModelDamaged, match=r"run: footnote models export$"):
        tokenizer.spans("a beagle")


def test_a_check_of_a_profile_names_its_damaged_models(models: Path) -> None:
    (models / named_record("ms-marco-minilm-l12", "int8")).write_text("{")
    (models / named_record("mine", "int8")).write_text("{")
    profile = Profile.model_validate(
        {
            "embedding": {"provider": "huggingface", "model": "mine"},
            "rerank": [{"type": "cross_encoder", "model": "ms-marco-minilm-l12"}],
        }
    )
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("FOOTNOTE_MODELS", str(models))
        found = {part: type(error) for part, error in missing_models(profile)}
    assert found == {"embedding": ModelDamaged, "cross_encoder": ModelDamaged}


@pytest.mark.parametrize(
    ("model", "meant"),
    [
        ("ms-marco-minilm-l21", "ms-marco-minilm-l12"),
        ("cross-encoder/ms-marco-MiniLM-L-6-v2", None),  # of a hub
        ("quite-another", None),
    ],
)
def test_a_check_of_a_profile_names_the_model_that_was_meant(models: Path, model: str, meant: str | None) -> None:
    stage = {"type": "cross_encoder", "model": model}
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("FOOTNOTE_MODELS", str(models))
        found = dict(missing_models(Profile.model_validate({"rerank": [stage]})))
    said = found["cross_encoder"].message if "cross_encoder" in found else None
    assert said is None if meant is None else f"did you mean {meant}?" in (said or "")


def test_a_model_with_deleted_files_can_be_removed(models: Path) -> None:
    (exported_in(models) / "model.onnx").unlink()
    assert remove_model("mine", models) > 0
    assert list(models.iterdir()) == []


def test_a_removed_model_leaves_nothing_of_its_earlier_weights(models: Path) -> None:
    tokenizer = models.parent / "small" / "tokenizer.json"
    tokenizer.write_text(json.dumps(json.loads(tokenizer.read_text()) | {"normalizer": None}))
    made(models)
    add_model("mine-too", models, place=str(models.parent / "small"))
    remove_model("mine", models)
    assert all(place.name.startswith("mine-too-") for place in models.iterdir())
    assert build_embedding(HuggingFaceEmbedding(model="mine-too"), models).dimensions == 32
