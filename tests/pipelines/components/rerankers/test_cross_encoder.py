"""Cross-encoders on both ways to run them: a tiny random one stands for all."""

import gc
import json
import shutil
import sys
from pathlib import Path

import pytest
from candidates import QUESTION, candidate, order, scores

from pipelines.components.models.pairs import TorchPairs
from pipelines.components.rerankers.cross_encoder import CrossEncoderRanking
from pipelines.errors import MissingPackage, RerankerUnavailable
from pipelines.profile.sections.rerank import CrossEncoderStage
from tests.fakes.pair_models import WORDS, exported, tiny_model

HITS = [candidate(f"h{number}", 1 - number / 20, content=" ".join(WORDS[4 : 6 + number])) for number in range(12)]


@pytest.fixture(scope="module")
def torch_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("torch"))


@pytest.fixture(scope="module")
def onnx_folder(torch_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(tmp_path_factory.mktemp("exported") / "model", torch_folder)


def stage(model: object, weight: float | None = None) -> CrossEncoderRanking:
    return CrossEncoderRanking(
        CrossEncoderStage(type="cross_encoder", model=str(model), weight=weight), "cross_encoder"
    )


@pytest.mark.parametrize("way", ["torch_folder", "onnx_folder"])
def test_hits_are_ordered_by_pair_score_with_sigmoids_as_scores(way: str, request: pytest.FixtureRequest) -> None:
    asked = stage(request.getfixturevalue(way))
    ranked = asked.rank(QUESTION, HITS)
    assert sorted(order(ranked)) == sorted(hit.chunk_id for hit in HITS)
    assert order(ranked) != [hit.chunk_id for hit in HITS]
    assert scores(ranked) == sorted(scores(ranked), reverse=True)
    assert 0 < min(scores(ranked)) < max(scores(ranked)) < 1
    for hit, score in ranked:  # in whatever batch it was
        assert asked.rank(QUESTION, [hit])[0][1] == pytest.approx(score, abs=1e-4)
    assert asked.rank(QUESTION, HITS) == ranked
    assert asked.rank(QUESTION, []) == []


def test_a_weighted_model_adds_to_the_score_before(onnx_folder: Path) -> None:
    by_model = order(stage(onnx_folder).rank(QUESTION, HITS))
    ranked = stage(onnx_folder, weight=0.5).rank(QUESTION, HITS)
    before = {hit.chunk_id: hit.score / HITS[0].score for hit in HITS}
    gains = {hit.chunk_id: (score - before[hit.chunk_id]) / 0.5 for hit, score in ranked}
    assert gains[by_model[0]] == pytest.approx(1)
    assert gains[by_model[-1]] == pytest.approx(0)
    assert [gains[one] for one in by_model] == sorted(gains.values(), reverse=True)
    assert scores(ranked) == sorted(scores(ranked), reverse=True)
    assert order(stage(onnx_folder, weight=0.001).rank(QUESTION, HITS)) == [hit.chunk_id for hit in HITS]
    assert stage(onnx_folder, weight=0.5).rank(QUESTION, []) == []


def test_the_title_is_read_too(torch_folder: Path) -> None:
    asked = stage(torch_folder)
    ((_, plain),) = asked.rank(QUESTION, [candidate("a", 1.0, content="needs exercise")])
    ((_, titled),) = asked.rank(QUESTION, [candidate("a", 1.0, content="needs exercise", title="the beagle")])
    assert plain != titled


def test_of_two_classes_the_second_one_is_that_of_answers(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path, ["no", "yes"])
    logits = TorchPairs(str(folder), local=True).logits([(QUESTION.query_str, hit.content) for hit in HITS])
    best = HITS[int((logits[:, 1] - logits[:, 0]).argmax())]
    assert stage(folder).rank(QUESTION, HITS)[0][0] == best


def test_a_model_that_is_not_a_cross_encoder_is_refused_on_loading(tmp_path: Path, torch_folder: Path) -> None:
    with pytest.raises(RerankerUnavailable, match="numbers of the shape"):
        stage(tiny_model(tmp_path / "three", ["a", "b", "c"]))
    headless = tmp_path / "headless"
    shutil.copytree(torch_folder, headless)
    from safetensors.numpy import load_file, save_file

    weights = {name: array for name, array in load_file(headless / "model.safetensors").items() if "class" not in name}
    save_file(weights, headless / "model.safetensors", {"format": "pt"})
    with pytest.raises(RerankerUnavailable, match="no trained head"):
        stage(headless)


def test_a_folder_that_holds_no_usable_model_is_refused(tmp_path: Path, onnx_folder: Path) -> None:
    with pytest.raises(RerankerUnavailable, match="no such folder"):
        stage("./nowhere/at/all")
    (tmp_path / "empty").mkdir()
    with pytest.raises(RerankerUnavailable, match="not a transformers model"):
        stage(tmp_path / "empty")
    broken = tmp_path / "broken"
    shutil.copytree(onnx_folder, broken)
    (broken / "onnx" / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(RerankerUnavailable, match=r"model\.onnx is not a graph"):
        stage(broken)
    (broken / "tokenizer.json").unlink()
    with pytest.raises(RerankerUnavailable, match=r"no tokenizer\.json"):
        stage(broken)
    for name in ("one.onnx", "two.onnx"):
        (tmp_path / "empty" / name).touch()
    with pytest.raises(RerankerUnavailable, match=r"several \.onnx files"):
        stage(tmp_path / "empty")


def test_without_torch_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch, torch_folder: Path) -> None:
    gc.collect()  # a model that another test loaded would be shared while it is not yet collected
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackage, match=r"torch is not installed; run: pip install .*\[huggingface\]"):
        stage(torch_folder)


def test_an_onnx_folder_needs_no_torch(monkeypatch: pytest.MonkeyPatch, onnx_folder: Path) -> None:
    for package in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, package, None)
    assert len(stage(onnx_folder).rank(QUESTION, HITS)) == len(HITS)


def test_a_configuration_without_sizes_is_enough_for_onnx(tmp_path: Path, onnx_folder: Path) -> None:
    shutil.copytree(onnx_folder, tmp_path / "bare")
    (tmp_path / "bare" / "config.json").write_text(json.dumps({"max_position_embeddings": 64}))
    assert scores(stage(tmp_path / "bare").rank(QUESTION, HITS)) == scores(stage(onnx_folder).rank(QUESTION, HITS))
