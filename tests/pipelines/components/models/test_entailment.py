"""The entailment model, on a tiny BERT with random weights."""

from pathlib import Path

import pytest

from pipelines.components.models.entailment import EntailmentModel
from pipelines.errors import ProfileError
from tests.fakes.pair_models import exported, tiny_model

PAIRS = [("the beagle needs exercise", "a beagle needs exercise"), ("the cat " * 900, "a manx tail")]


def test_pairs_are_judged_by_the_labels_names_wherever_they_stand(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "m", ["CONTRADICTION", "NEUTRAL", "ENTAILMENT"])
    found = EntailmentModel(str(folder))(PAIRS)
    for one in found:
        assert 0 < one.entails < 1
        assert 0 < one.contradicts < 1
        assert one.entails + one.contradicts < 1
    for one, same in zip(found, EntailmentModel(str(exported(tmp_path / "onnx", folder)))(PAIRS), strict=True):
        assert (same.entails, same.contradicts) == pytest.approx((one.entails, one.contradicts), abs=1e-4)


def test_a_model_without_an_entailment_label_is_refused(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "m", ["bad", "good"])
    with pytest.raises(ProfileError, match="does not tell entailment: its labels are bad, good"):
        EntailmentModel(str(folder))


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="cannot be used: it is not a transformers model"):
        EntailmentModel(str(tmp_path))
