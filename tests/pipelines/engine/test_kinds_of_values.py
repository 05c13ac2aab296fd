"""Values of a wrong kind, which Python lets callers give: each is refused by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pipelines import Engine, open_engine
from pipelines.errors import InvalidRequest
from pipelines.types import DocumentInput, Message

PROFILE = {"tenant": "pond", "store": {"engine": "memory"}}
SWANS = "Swans swim on the lake all day."


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with open_engine(PROFILE) as opened:
        opened.ingest([DocumentInput(SWANS, "swans.txt")])
        yield opened


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("documents", "swans.txt", 'must be a list of ids, such as ["guide.md"]'),
        ("documents", [5], 'must be a list of ids, such as ["guide.md"]'),
        ("documents", 5, 'must be a list of ids, such as ["guide.md"]'),
        ("as_of", "1", "must be a whole number, the number of a snapshot"),
        ("as_of", 0.5, "must be a whole number, the number of a snapshot"),
        ("as_of", True, "must be a whole number, the number of a snapshot"),
        ("min_score", "high", "must be a number"),
        ("min_score", float("nan"), "nan is not between 0 and 1"),
        ("min_score", 2, "2 is not between 0 and 1"),
        ("diversity", "much", "must be a number"),
        ("diversity", 1.5, "1.5 is not between 0 and 1"),
        ("inherit", "false", "must be true or false"),
        ("tools", "no", "must be true or false"),
        ("note", 5, "must be text"),
        ("llm", "qwen3", 'must be a mapping, such as {"model": "qwen3:8b"}'),
        ("caller", "me", "must be a pipelines.types.Caller"),
        (
            "history",
            [{"role": "user", "content": "What is a swan?"}],
            'must be a list of messages, such as [Message("user", "...")], of pipelines.types',
        ),
    ],
)
def test_a_query_names_its_field_of_a_wrong_kind(engine: Engine, field: str, value: object, message: str) -> None:
    fields: dict[str, Any] = {field: value}
    for ask in (engine.search, engine.answer):
        with pytest.raises(InvalidRequest) as caught:
            ask("Where do swans swim?", **fields)
        assert [(problem.path, problem.message) for problem in caught.value.problems] == [(field, message)]


def test_a_vector_that_is_no_list_is_refused(engine: Engine) -> None:
    wrong: Any = 5
    with pytest.raises(InvalidRequest, match="vector: must be 384 numbers"):
        engine.search("", vector=wrong)


def test_values_of_the_right_kind_still_find(engine: Engine) -> None:
    for ids in (["swans.txt"], ("swans.txt",), {"swans.txt"}, frozenset(["swans.txt"])):
        assert len(engine.search("Where do swans swim?", documents=ids, as_of=1, min_score=0, diversity=1)) == 1
    assert engine.answer("Where do they swim?", history=(Message("user", "What are swans?"),)).citations


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda engine: engine.documents(state="redy"), 'state: "redy" is not one of ready, stale, failed'),
        (lambda engine: engine.documents("5"), "limit: must be a whole number"),
        (lambda engine: engine.documents(cursor=5), "cursor: must be text"),
        (lambda engine: engine.facets(limit=True), "limit: must be a whole number"),
        (lambda engine: engine.jobs.list("5"), "limit: must be a whole number"),
        (lambda engine: engine.conversations.list(None), "limit: must be a whole number"),
        (lambda engine: engine.all_feedback(0), "limit: 0 is not between 1 and 1000"),
        (lambda engine: engine.unlabelled(1001), "limit: 1001 is not between 1 and 1000"),
        (lambda engine: engine.content("swans.txt", "1"), "version: must be a whole number"),
        (lambda engine: engine.content("swans.txt", as_of="1"), "as_of: must be a whole number"),
        (lambda engine: engine.content(5), "document_id: must be text"),
        (lambda engine: engine.document(None), "document_id: must be text"),
        (lambda engine: engine.versions(b"swans.txt"), "document_id: must be text"),
        (lambda engine: engine.delete(5), "document_id: must be text"),
        (lambda engine: engine.uses_of("swans.txt"), "document_ids: must be a list of texts"),
        (lambda engine: engine.uses_of([5]), "document_ids: must be a list of texts"),
        (lambda engine: engine.standalone("And they?", ["What are swans?"]), "earlier: must be a list of pairs"),
        (lambda engine: engine.standalone("And they?", "swans"), "earlier: must be a list of pairs"),
        (lambda engine: engine.standalone(5, []), "question: must be text"),
        (lambda engine: engine.embed("swans"), "texts: must be a list of texts"),
        (lambda engine: engine.embed([5]), "texts: must be a list of texts"),
        (lambda engine: engine.search("swans", filter={}), 'filter: is no field of a query, did you mean "filters"?'),
        (lambda engine: engine.answer_all("Where?"), "questions: must be a list of questions"),
    ],
)
def test_other_calls_name_their_argument_of_a_wrong_kind(
    engine: Engine, call: Callable[[Engine], object], message: str
) -> None:
    with pytest.raises(InvalidRequest) as caught:
        call(engine)
    assert str(caught.value).startswith(message)


def test_a_word_for_no_neither_purges_nor_empties(tmp_path: Path) -> None:
    word: Any = "no"
    (tmp_path / "pond").mkdir()
    (tmp_path / "pond" / "swans.txt").write_text(SWANS)
    with open_engine({**PROFILE, "knowledge": {"path": str(tmp_path / "pond")}}) as engine:
        engine.sync()
        (tmp_path / "pond" / "swans.txt").unlink()
        with pytest.raises(InvalidRequest, match="purge: must be true or false"):
            engine.delete("swans.txt", purge=word)
        with pytest.raises(InvalidRequest, match="allow_empty: must be true or false"):
            engine.sync(allow_empty=word)
        assert engine.content("swans.txt") == SWANS


@pytest.mark.parametrize(
    ("offers", "found"),
    [([{"content": SWANS}], "dict"), ({"content": SWANS}, "dict"), ([5], "int"), (None, "NoneType")],
)
def test_what_is_no_document_is_refused(engine: Engine, offers: Any, found: str) -> None:
    kinds = "DocumentInput, LlamaIndex's Document, a Path or a text, or a list of these"
    with pytest.raises(InvalidRequest) as caught:
        engine.ingest(offers)
    assert str(caught.value) == f"documents: must be {kinds}, not {found}"


def test_a_job_takes_documents_only(engine: Engine) -> None:
    texts: Any = [SWANS]
    with pytest.raises(InvalidRequest, match="documents -> 0: must be a DocumentInput, not str"):
        engine.jobs.submit("ingest", texts)
    assert engine.jobs.list().jobs == ()


def test_names_in_metadata_of_several_kinds_are_refused_plainly(engine: Engine) -> None:
    metadata: Any = {1: "one", "two": 2}
    (result,) = engine.ingest([DocumentInput(SWANS, "mixed", metadata=metadata)])
    assert (result.state, result.reason) == ("failed", "metadata: must be plain JSON: write all names as text")


def test_times_of_a_key_are_whole_numbers(engine: Engine) -> None:
    words: Any = "5"
    with pytest.raises(InvalidRequest, match="days: must be a whole number"):
        engine.keys.create("kim", "reader", days=words)
    engine.keys.create("kim", "reader", days=5)
    with pytest.raises(InvalidRequest, match="grace_hours: must be a whole number"):
        engine.keys.rotate("kim", grace_hours=words)
