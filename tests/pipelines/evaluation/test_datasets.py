"""Data sets are read strictly: what cannot be used is named by file and line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pipelines.errors import InvalidRequest
from pipelines.evaluation.datasets import Query, load_dataset

CORPUS = [
    {"id": "d1", "title": "Cats", "text": "Cats purr.", "metadata": {"kind": "cat"}},
    {"id": "d/2", "title": "", "text": "Dogs bark.", "metadata": {}},
]
QUERIES: list[dict[str, Any]] = [
    {"id": "q1", "text": "Who purrs?", "answers": ["cats"], "filters": {"kind": "cat"}},
    {"id": "q2", "text": "Who flies?"},
    {"id": "q3", "text": "Who barks?", "metadata": {"turn": 3}},
]
QRELS = ["query_id\tcorpus_id\trelevance", "q1\td1\t2", "q1\td/2\t0", "q3\td/2\t1"]


def write_lines(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


@pytest.mark.parametrize(
    ("history", "earlier"),
    [
        (None, ()),
        ([], ()),
        ("who?", ()),
        ([{"role": "user", "text": "a"}], (("a", ""),)),
        (
            [
                {"role": "agent", "text": "Hello."},
                {"role": "user", "text": "a"},
                {"role": "agent", "text": "b"},
                {"role": "user", "text": "c"},
                7,
            ],
            (("a", "b"), ("c", "")),
        ),
    ],
)
def test_a_question_may_have_turns_before_it(history: Any, earlier: tuple[tuple[str, str], ...]) -> None:
    assert Query("q", "d", metadata={"history": history}).earlier == earlier


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "pets"
    folder.mkdir()
    write_lines(folder / "corpus.jsonl", CORPUS)
    write_lines(folder / "queries.jsonl", QUERIES)
    (folder / "qrels.tsv").write_text("\n".join(QRELS) + "\n", encoding="utf-8")
    return folder


def problem(folder: Path) -> str:
    with pytest.raises(InvalidRequest) as caught:
        load_dataset(folder)
    return str(caught.value)


def test_a_folder_is_read_whole(folder: Path) -> None:
    dataset = load_dataset(folder)
    assert dataset.name == "pets"
    assert isinstance(dataset.corpus, tuple)
    assert [(d.id, d.title, d.text, d.metadata) for d in dataset.corpus] == [tuple(d.values()) for d in CORPUS]
    assert [query.id for query in dataset.queries] == ["q1", "q2", "q3"]
    assert dataset.queries[0].answers == ("cats",)
    assert dataset.queries[0].filters == {"kind": "cat"}
    assert dataset.queries[1].answers == ()
    assert dataset.queries[1].filters is None
    assert dataset.queries[2].metadata == {"turn": 3}
    assert dataset.qrels == {"q1": {"d1": 2, "d/2": 0}, "q3": {"d/2": 1}}
    assert dataset.unanswerable == ()
    assert [dataset.has_relevant(query) for query in dataset.queries] == [True, False, True]


def test_a_document_judged_zero_is_not_relevant(folder: Path) -> None:
    (folder / "qrels.tsv").write_text("query_id\tcorpus_id\trelevance\nq1\td1\t0\nq1\td/2\t-1\n")
    dataset = load_dataset(folder)
    assert not dataset.has_relevant(dataset.queries[0])


def test_a_limit_takes_the_first_queries_that_have_relevant_documents_and_the_whole_corpus(folder: Path) -> None:
    write_lines(folder / "unanswerable.jsonl", [{"id": f"u{n}", "text": "?"} for n in range(5)])
    dataset = load_dataset(folder, limit=2)
    assert [query.id for query in dataset.queries] == ["q1", "q3"]
    assert set(dataset.qrels) == {"q1", "q3"}
    assert [query.id for query in dataset.unanswerable] == ["u0", "u1"]
    assert isinstance(dataset.corpus, tuple)
    assert len(dataset.corpus) == 2
    assert [query.id for query in load_dataset(folder, limit=1).queries] == ["q1"]


def test_a_limit_of_nothing_is_refused(folder: Path) -> None:
    with pytest.raises(InvalidRequest, match="limit: must be at least 1"):
        load_dataset(folder, limit=0)


def test_unanswerable_questions_are_read(folder: Path) -> None:
    write_lines(folder / "unanswerable.jsonl", [{"id": "u1", "text": "Why?", "answers": []}])
    assert [query.text for query in load_dataset(folder).unanswerable] == ["Why?"]


def test_a_line_separator_inside_json_ends_no_line(folder: Path) -> None:
    line = json.dumps({"id": "d1", "title": "", "text": "one\u2028two\u0085three"}, ensure_ascii=False)
    (folder / "corpus.jsonl").write_text(line + "\n" + json.dumps(CORPUS[1]) + "\n", encoding="utf-8")
    dataset = load_dataset(folder)
    assert isinstance(dataset.corpus, tuple)
    assert dataset.corpus[0].text == "one\u2028two\u0085three"


def test_a_byte_order_mark_windows_line_ends_and_blank_lines_do_no_harm(folder: Path) -> None:
    text = "\ufeff" + "\r\n\r\n".join(json.dumps(document) for document in CORPUS) + "\r\n\r\n"
    (folder / "corpus.jsonl").write_bytes(text.encode())
    (folder / "qrels.tsv").write_bytes("\r\n".join(QRELS).encode())
    dataset = load_dataset(folder)
    assert len(dataset.corpus) == 2  # type: ignore[arg-type]
    assert dataset.qrels["q1"]["d1"] == 2


def test_a_data_set_without_queries_is_still_a_data_set(folder: Path) -> None:
    (folder / "queries.jsonl").write_text("")
    (folder / "qrels.tsv").write_text(QRELS[0] + "\n")
    assert load_dataset(folder).queries == ()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert "nowhere: there is no such data set folder" in problem(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert problem(folder).startswith(f"{name}: there is no such file")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "d3", "text": ', "corpus.jsonl:3: Invalid JSON: EOF while parsing a value at column 21"),
        ('["d3"]', "corpus.jsonl:3: must be one JSON object in one line"),
        ('{"id": "d3"}', 'corpus.jsonl:3: "text" is missing'),
        ('{"_id": "d3", "text": "x"}', 'corpus.jsonl:3: "id" is missing, did you mean "_id"?'),
        ('{"id": "", "text": "x"}', 'corpus.jsonl:3: "id"'),
        ('{"id": 3, "text": "x"}', 'corpus.jsonl:3: "id": must be text in quotes, such as "5"; numbers and dates too'),
        ('{"id": "d3", "text": "x", "metadata": []}', 'corpus.jsonl:3: "metadata"'),
        ('{"id": "d1", "text": "x"}', 'corpus.jsonl:3: the id "d1" is taken by line 1'),
    ],
)
def test_a_line_that_cannot_be_used_is_named_by_its_number(folder: Path, line: str, message: str) -> None:
    with (folder / "corpus.jsonl").open("a") as corpus:
        corpus.write(line + "\n")
    assert problem(folder).startswith(message)


def test_every_missing_key_of_a_line_is_reported(folder: Path) -> None:
    (folder / "queries.jsonl").write_text('\n{"answers": []}\n')
    assert problem(folder) == 'queries.jsonl:2: "id" is missing; queries.jsonl:2: "text" is missing'


def test_text_that_is_not_utf_8_is_refused(folder: Path) -> None:
    (folder / "corpus.jsonl").write_bytes(b'{"id": "d1", "text": "caf\xe9"}')
    assert problem(folder) == "corpus.jsonl: not UTF-8 text: byte 25 cannot be read"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "qrels.tsv:1: must be the header line"),
        (QRELS[1:], "qrels.tsv:1: must be the header line"),
        ([QRELS[0], "q1 d1 1"], "qrels.tsv:2: has 1 columns"),
        ([QRELS[0], "q1\td1"], "qrels.tsv:2: has 2 columns"),
        ([QRELS[0], "q1\td1\thigh"], 'qrels.tsv:2: the relevance "high" is not a whole number'),
        ([*QRELS, "q1\td1\t1"], 'qrels.tsv:5: query "q1" and document "d1" are judged twice'),
        ([*QRELS, "q9\td1\t1", "q8\td1\t1"], 'qrels.tsv:5: the id "q9" is not in queries.jsonl; so it is with 2 line'),
        ([*QRELS, "q1\td7\t1", "q3\td8\t1"], 'qrels.tsv:5: the id "d7" is not in corpus.jsonl; so it is with 2 line'),
    ],
)
def test_judgements_that_cannot_be_used_are_named_by_their_line(folder: Path, lines: list[str], message: str) -> None:
    (folder / "qrels.tsv").write_text("\n".join(lines) + "\n")
    assert problem(folder).startswith(message)


def test_the_same_judgement_twice_says_nothing_new(folder: Path) -> None:
    (folder / "qrels.tsv").write_text("\n".join([*QRELS, QRELS[1]]))
    assert load_dataset(folder).qrels["q1"] == {"d1": 2, "d/2": 0}


def test_a_question_cannot_be_answerable_and_unanswerable(folder: Path) -> None:
    write_lines(folder / "unanswerable.jsonl", [{"id": "q2", "text": "Who flies?"}])
    assert problem(folder) == 'unanswerable.jsonl: the id "q2" is in queries.jsonl too'


def published() -> list[Path]:
    root = os.environ.get("FOOTNOTE_EVAL_DATA")
    return sorted(path.parent for path in Path(root).glob("*/qrels.tsv")) if root else []


@pytest.mark.skipif(not published(), reason="FOOTNOTE_EVAL_DATA names no folder of published sets")
def test_published_sets_are_read_as_they_are() -> None:
    for folder in published():
        stated = json.loads((folder / "stats.json").read_text())
        dataset = load_dataset(folder)
        assert isinstance(dataset.corpus, tuple)
        assert (len(dataset.corpus), len(dataset.queries)) == (stated["n_docs"], stated["n_queries"]), folder.name
        assert sum(map(len, dataset.qrels.values())) == stated["n_qrels"], folder.name
