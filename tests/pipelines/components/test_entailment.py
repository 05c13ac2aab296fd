"""The entailment model, on a tiny BERT with random weights."""

from pathlib import Path

import pytest

from pipelines.components.entailment import CrossEncoder
from pipelines.errors import ProfileError

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "beagles", "need", "an", "hour", "not", "cats"]


def tiny_model(folder: Path, labels: dict[int, str]) -> Path:
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8,
        id2label=labels, label2id={name: index for index, name in labels.items()},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def test_pairs_are_judged_by_the_labels_names_wherever_they_stand(tmp_path: Path) -> None:
    model = CrossEncoder(str(tiny_model(tmp_path / "m", {0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"})))
    pairs = [("beagles need an hour", "beagles need an hour"), ("cats " * 900, "not an hour")]
    for found in model(pairs):
        assert 0 < found.entails < 1
        assert 0 < found.contradicts < 1
        assert found.entails + found.contradicts < 1


def test_a_model_that_tells_no_entailment_is_refused(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "m", {0: "bad", 1: "good"})
    with pytest.raises(ProfileError, match="does not tell entailment: its labels are bad, good"):
        CrossEncoder(str(folder))


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="is neither a folder of a model nor one of the hub"):
        CrossEncoder(str(tmp_path))
