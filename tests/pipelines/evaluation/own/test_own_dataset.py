"""Own documents are read strictly: raw files, and questions with what a right answer matches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.errors import InvalidRequest
from pipelines.evaluation.own.dataset import OwnQuestion, corpus_folders, load_own_documents

BAKING: dict[str, Any] = {
    "id": "b1",
    "question": "How hot is the oven?",
    "kind": "number",
    "doc": "files/bread.md",
    "must": ["\\b230\\b"],
}
PRICE: dict[str, Any] = {"id": "b2", "question": "What does an oven cost?", "kind": "unanswerable", "doc": None}


def corpus(folder: Path, *questions: dict[str, Any]) -> Path:
    (folder / "files").mkdir(parents=True)
    (folder / "files" / "bread.md").write_text("Heat the oven to 230 degrees.")
    (folder / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in questions))
    return folder


def test_a_corpus_is_its_files_and_its_questions(tmp_path: Path) -> None:
    documents = load_own_documents(corpus(tmp_path / "baking", BAKING, PRICE))
    assert (documents.name, documents.files) == ("baking", tmp_path / "baking" / "files")
    assert [(one.id, one.is_answerable) for one in documents.questions] == [("b1", True), ("b2", False)]


def test_a_limit_keeps_as_many_answerable_and_unanswerable_questions(tmp_path: Path) -> None:
    more = [{**BAKING, "id": "b3"}, {**PRICE, "id": "b4"}]
    documents = load_own_documents(corpus(tmp_path, BAKING, PRICE, *more), limit=1)
    assert [one.id for one in documents.questions] == ["b1", "b2"]


def test_a_folder_is_a_corpus_holds_several_or_none(tmp_path: Path) -> None:
    one, other = corpus(tmp_path / "a", BAKING), corpus(tmp_path / "b", BAKING)
    (tmp_path / "c").mkdir()
    assert corpus_folders(tmp_path) == [one, other]
    assert corpus_folders(one) == [one]
    assert corpus_folders(tmp_path / "c") == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({**BAKING, "id": "b3", "must": []}, 'give "must" or "any"'),
        ({**PRICE, "id": "b3", "must": ["x"]}, 'an unanswerable question has no "must"'),
        ({**BAKING, "id": "b3", "must": ["("]}, "'(' is not a regular expression"),
        ({**BAKING, "id": "b3", "any": ["a"], "at_least": 2}, '"at_least" must be between 1 and the 1'),
        ({**BAKING, "id": "b3", "kind": "riddle"}, '"kind"'),
        ({**BAKING, "id": "b3", "musts": []}, '"musts"'),
        ({**BAKING, "id": "b3", "doc": "files/cake.md"}, 'there is no file "files/cake.md" in the corpus'),
    ],
)
def test_a_line_that_cannot_be_used_is_named_by_its_number(tmp_path: Path, line: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        load_own_documents(corpus(tmp_path, BAKING, line))
    assert "questions.jsonl:2" in str(caught.value)
    assert message in str(caught.value)


def test_a_corpus_without_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_text(json.dumps(PRICE))
    with pytest.raises(InvalidRequest, match="there is no such folder of documents"):
        load_own_documents(tmp_path)


def test_expected_answers_ignore_case_and_white_space() -> None:
    question = OwnQuestion(id="q", question="Which?", kind="list", must=("rye flour",), any=("salt", "yeast", "malt"))
    assert question.matches("RYE\n  flour and Salt")
    assert not question.matches("rye flour and water")
    assert not question.matches("salt and yeast")
    strict = question.model_copy(update={"at_least": 2})
    assert not strict.matches("rye flour and salt")
    assert strict.matches("rye flour, malt and salt")
