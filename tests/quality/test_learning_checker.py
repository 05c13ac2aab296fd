"""Learning the chooser's weights: judged questions, what was read for them, and what becomes of the model."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.fakes.pair_models import tiny_model
from tests.quality.checker.questions import JudgedQuestion, ReadPassages, read_questions

torch = pytest.importorskip("torch")

ANSWER, OTHER = "the beagle needs exercise", "the manx cat"
PASSAGES = [
    ReadPassages("how a beagle", [ANSWER, OTHER, "tail"], [0.0, 1.0, 0.5], [True, False, False], answerable=True),
    ReadPassages("how a cat", ["tail the cat", OTHER], [1.0, 2.0], [False, False], answerable=False),
]


def test_questions_are_read_with_all_their_expressions(tmp_path: Path) -> None:
    file = tmp_path / "questions.tsv"
    file.write_text("a\tHow long is the pier?\tpier && 80 metres\nu\tWho built the pier?\t\nu\tWho owns it?\n")
    asked = list(read_questions(file))
    assert [one.text for one in asked] == ["How long is the pier?", "Who built the pier?", "Who owns it?"]
    assert asked[0].is_answered_by("80\n  Metres is the length of the Pier")
    assert not asked[0].is_answered_by("The pier is long")
    assert not asked[1].is_answered_by("anything")


@pytest.mark.parametrize("line", ["a\tHow long?", "a\tHow long?\t ", "u\tHow long?\tpier", "x\tHow long?\tpier", "a"])
def test_a_line_of_another_form_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "questions.tsv"
    file.write_text(f"u\tWho?\n{line}\n")
    with pytest.raises(ValueError, match=r"questions\.tsv, line 2: "):
        list(read_questions(file))


def test_what_a_chooser_reads_is_judged(tmp_path: Path) -> None:
    from tests.quality.checker.reading import read

    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "pier.md").write_text(
        "# Pier\n\nThe pier is 80 metres long.\n\nBoats moor on its east side.\n"
    )
    profile = tmp_path / "pier.yaml"
    profile.write_text(f"{{tenant: pier, answer: {{chooser: {tiny_model(tmp_path / 'model')}}}}}")
    questions = tmp_path / "questions.tsv"
    questions.write_text("a\tHow long is the pier?\t80 metres\nu\tWho built the pier?\n")
    read(profile, tmp_path / "docs", questions, tmp_path / "read.jsonl")
    first, second = (ReadPassages(**json.loads(line)) for line in (tmp_path / "read.jsonl").read_text().splitlines())
    assert first.answerable
    assert not second.answerable
    assert {text for text, right in zip(first.texts, first.answers, strict=True) if right}
    assert len(first.texts) == len(first.scores) == len(first.answers)
    assert not any(second.answers)


def test_an_answer_scores_higher_after_learning_and_the_file_holds_all_of_it(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    from pipelines.components.models.model_source import read_source
    from pipelines.components.models.tokenizer import load_tokenizer
    from pipelines.components.models.tuned import tuned
    from tests.quality.checker.learning import fit, pair_logits
    from tests.quality.checker.low_rank import classifier, learned_tensors

    source = read_source(tiny_model(tmp_path))
    tokenizer = load_tokenizer(tmp_path / "tokenizer.json", 64)
    pairs = [tokenizer.encode(one.question, text) for one in PASSAGES for text in one.texts]
    before = pair_logits(classifier(source).eval(), pairs).detach()
    learned = fit(source, tokenizer, PASSAGES, epochs=60, first=0)
    after = pair_logits(learned, pairs).detach()
    assert after[0] - after[1] > before[0] - before[1]
    assert after[0] > after[3:].max()
    save_file(learned_tensors(learned), tmp_path / "learned.safetensors")
    again = pair_logits(classifier(tuned(source, tmp_path / "learned.safetensors")), pairs).detach()
    assert torch.allclose(after, again, atol=0.1)  # 16 bits, and products in 16 bits
    assert {"classifier.weight", "encoder.layer.0.output.dense.weight.up"} <= set(learned_tensors(learned))


def test_questions_whose_answer_was_not_read_are_left_out(tmp_path: Path) -> None:
    from tests.quality.checker.learning import usable

    file = tmp_path / "read.jsonl"
    missed = ReadPassages("how a tail", [OTHER], [0.0], [False], answerable=True)
    unread = ReadPassages("how", [], [], [], answerable=False)
    file.write_text("\n".join(json.dumps(asdict(one)) for one in (*PASSAGES, missed, unread)))
    assert list(usable(file)) == PASSAGES


def test_a_question_without_expressions_is_answered_by_nothing() -> None:
    assert not JudgedQuestion("Who?", ()).is_answered_by("Nobody")
