"""Golden questions are read strictly, and a DATASET argument finds them."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from pipelines.errors import InvalidRequest
from pipelines.evaluation.datasets import Query
from pipelines.evaluation.golden import load_golden, open_dataset
from pipelines.profile.loader import LoadedProfile, load_profile


def write_lines(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


GOLDEN: list[dict[str, Any]] = [
    {"id": "g1", "question": "Who purrs?", "answers": ["cats"], "documents": ["cats/siamese.md"]},
    {"id": "g2", "question": "Who barks?", "answers": [], "documents": ["dogs.md"], "filters": {"kind": "dog"}},
    {"id": "g3", "question": "Who flies?", "answers": [], "documents": []},
]


@pytest.fixture
def tenant(tmp_path: Path) -> LoadedProfile:
    knowledge = tmp_path / "tenant" / "knowledge"
    (knowledge / "cats").mkdir(parents=True)
    (knowledge / "cats" / "siamese.md").write_text("Cats purr.")
    (knowledge / "dogs.md").write_text("Dogs bark.")
    profile = tmp_path / "tenant" / "profile.yaml"
    profile.write_text("tenant: pets\nknowledge: {path: knowledge}\n")
    write_lines(tmp_path / "tenant" / "golden.jsonl", GOLDEN)
    return load_profile(profile)


def test_golden_questions_are_asked_of_the_knowledge_folder(tenant: LoadedProfile) -> None:
    dataset = load_golden(tenant)
    assert dataset.name == "pets/golden"
    assert dataset.corpus == tenant.knowledge_folder
    assert dataset.qrels == {"g1": {"cats/siamese.md": 1}, "g2": {"dogs.md": 1}}
    assert [(query.text, query.answers) for query in dataset.queries] == [("Who purrs?", ("cats",)), ("Who barks?", ())]
    assert dataset.queries[1].filters == {"kind": "dog"}
    assert [query.id for query in dataset.unanswerable] == ["g3"]


def test_a_large_file_of_questions_takes_few_times_its_size_in_memory(tenant: LoadedProfile) -> None:
    file = tenant.folder / "golden.jsonl"
    write_lines(file, [{**GOLDEN[0], "id": f"g{number}"} for number in range(10_000)])
    load_golden(tenant)
    tracemalloc.start()
    try:
        assert len(load_golden(tenant).queries) == 10_000
        assert tracemalloc.get_traced_memory()[1] < 6 * file.stat().st_size
    finally:
        tracemalloc.stop()


def test_a_golden_question_that_names_no_file_of_the_knowledge_is_refused(tenant: LoadedProfile) -> None:
    write_lines(tenant.folder / "golden.jsonl", [{**GOLDEN[0], "documents": ["cats/siames.md"]}])
    with pytest.raises(InvalidRequest) as caught:
        load_golden(tenant)
    expected = 'golden.jsonl:1: no file "cats/siames.md" in the knowledge folder, did you mean "cats/siamese.md"?'
    assert str(caught.value) == expected


def test_a_golden_document_is_a_file_not_a_folder(tenant: LoadedProfile) -> None:
    write_lines(tenant.folder / "golden.jsonl", [{**GOLDEN[0], "documents": ["cats"]}])
    with pytest.raises(InvalidRequest, match='no file "cats" in the knowledge folder'):
        load_golden(tenant)


def test_a_golden_document_may_stand_in_an_archive(tenant: LoadedProfile) -> None:
    folder = tenant.folder / "knowledge"
    with ZipFile(folder / "birds.zip", "w") as archive:
        archive.writestr("parrot.md", "Parrots talk.")
    write_lines(tenant.folder / "golden.jsonl", [{**GOLDEN[0], "documents": ["birds.zip/parrot.md"]}])
    assert load_golden(tenant).qrels == {"g1": {"birds.zip/parrot.md": 1}}
    write_lines(tenant.folder / "golden.jsonl", [{**GOLDEN[0], "documents": ["birds.zip"]}])
    with pytest.raises(InvalidRequest, match=r'"birds.zip" is not a document: it is an archive.*"birds.zip/parrot.md"'):
        load_golden(tenant)


def test_a_golden_document_that_the_profile_leaves_out_is_refused(tenant: LoadedProfile) -> None:
    """It is not read, and could never be found."""
    assert tenant.path is not None
    tenant.path.write_text("tenant: pets\nknowledge: {path: knowledge, exclude: [dogs.md]}\n")
    with pytest.raises(InvalidRequest, match=r'golden.jsonl:2: "dogs.md" is not a document: .* left out by include'):
        load_golden(load_profile(tenant.folder))


def test_a_tenant_without_knowledge_has_no_golden_questions(tmp_path: Path) -> None:
    (tmp_path / "profile.yaml").write_text("tenant: empty\n")
    with pytest.raises(InvalidRequest, match="knowledge -> path"):
        load_golden(load_profile(tmp_path))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"id": "g4"}, '"question" is missing'),
        ({"id": "g4", "question": ""}, '"question": is empty'),
        ({"id": "g4", "question": " \u00a0", "answers": ["it"]}, '"question": is blank'),
        ({"id": "g4", "question": "a\0b", "answers": ["it"]}, '"question": holds a NUL character'),
        ({"id": "g4", "question": "Who?", "answers": [""]}, '"answers -> 0": is empty'),
        ({"id": "g4", "question": "How many?", "answers": [5]}, '"answers -> 0": must be text in quotes, such as "5"'),
        ({"id": "g4", "question": "Who?", "answers": "it"}, '"answers": must be a list, such as ["five days"]'),
        ({"id": "g4", "question": "Which vitamin?", "answers": ["A"]}, 'no answer can match "A": articles'),
        ({"id": "g4", "question": "Who?", "answers": ["it", "..."]}, 'no answer can match "..."'),
        ({"id": "g4", "question": "Who?", "documents": "dogs.md"}, '"documents"'),
        ({"id": "g4", "question": "Who?"}, 'give "documents" or "answers" that are expected, or "unanswerable": true'),
        ({**GOLDEN[2], "id": "g4", "unanswerable": False}, 'give "documents" or "answers"'),
        ({**GOLDEN[0], "id": "g4", "unanswerable": True}, 'an unanswerable question has no "answers"'),
        ({**GOLDEN[0], "id": "g4", "filter": {}}, 'unknown key "filter", did you mean "filters"?'),
        ({**GOLDEN[0], "id": "g1"}, 'the id "g1" is taken by line 1'),
    ],
)
def test_a_line_that_cannot_be_used_is_named_by_its_number(
    tenant: LoadedProfile, line: dict[str, Any], message: str
) -> None:
    write_lines(tenant.folder / "golden.jsonl", [*GOLDEN, line])
    with pytest.raises(InvalidRequest) as caught:
        load_golden(tenant)
    assert str(caught.value).startswith(f"golden.jsonl:4: {message}")


def test_notes_of_the_authors_own_are_let_through(tenant: LoadedProfile) -> None:
    write_lines(tenant.folder / "golden.jsonl", [{**GOLDEN[0], "section": "care", "source": "a book"}])
    assert len(load_golden(tenant).queries) == 1


def test_a_question_may_name_documents_alone_a_scope_and_that_nothing_answers_it(tenant: LoadedProfile) -> None:
    scoped = {"id": "g1", "question": "Who barks?", "documents": ["dogs.md"], "scope": {"kind": "dog"}}
    write_lines(tenant.folder / "golden.jsonl", [scoped, {"id": "g2", "question": "Why?", "unanswerable": True}])
    dataset = load_golden(tenant)
    assert dataset.queries == (Query("g1", "Who barks?", scope={"kind": "dog"}),)
    assert [query.id for query in dataset.unanswerable] == ["g2"]


def test_a_tenant_without_golden_questions_says_where_to_put_them(tenant: LoadedProfile) -> None:
    (tenant.folder / "golden.jsonl").unlink()
    with pytest.raises(
        InvalidRequest, match=r"golden\.jsonl: there is no such file of golden questions; name a DATASET"
    ):
        load_golden(tenant)


def test_the_argument_may_be_a_dataset_a_tenant_a_file_or_left_out(tenant: LoadedProfile, tmp_path: Path) -> None:
    more = tenant.folder / "more.jsonl"
    write_lines(more, GOLDEN[:1])
    folder = tmp_path / "set"
    folder.mkdir()
    write_lines(folder / "corpus.jsonl", [{"id": "d", "text": "Cats purr."}])
    write_lines(folder / "queries.jsonl", [{"id": "q", "text": "Who purrs?"}])
    (folder / "qrels.tsv").write_text("query_id\tcorpus_id\trelevance\nq\td\t1\n")
    bare = tmp_path / "bare.yaml"
    bare.write_text("tenant: bare\n")
    opened = [open_dataset(tenant), open_dataset(tenant, more), open_dataset(tenant, folder)]
    assert [(dataset.name, len(dataset.queries)) for dataset in opened] == [
        ("pets/golden", 2),
        ("pets/more", 1),
        ("set", 1),
    ]
    of_another = open_dataset(load_profile(bare), tenant.folder, limit=1)
    assert (of_another.name, len(of_another.queries)) == ("pets/golden", 1)
    assert of_another.metadata == tenant.profile.metadata


def test_a_limit_keeps_questions_that_name_answers_and_no_documents(tenant: LoadedProfile) -> None:
    write_lines(tenant.folder / "golden.jsonl", [{"id": "g", "question": "Who purrs?", "answers": ["cats"]}, *GOLDEN])
    assert [query.id for query in load_golden(tenant, limit=2).queries] == ["g", "g1"]
