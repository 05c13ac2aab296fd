"""Extractors that ask a language model, in whole loads: what they add, keep, and do when the model fails."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pipelines.engine import Engine
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant
from tests.fakes.ollama import Asked, FakeOllama, Reply, ollama_server

PROFILE = """
tenant: kennel
chunking: {size: 32, overlap: 8}
extractors: [frontmatter, headings, EXTRACTORS]
llm: {provider: ollama, model: "MODEL", base_url: "URL", timeouts: {call_s: 5}, concurrency: 4}
"""
ALL = "title, summary, keywords, questions"
TEXT = (
    "Beagles are merry hounds that need two hours of exercise every day. "
    "They were bred to follow hares for hours, and tire their owners before they tire themselves. "
    "A bored one digs holes in the garden, howls at night, and eats whatever it finds lying about."
)
Open = Callable[..., Engine]


def script(asked: Asked) -> str:
    if "title" in asked.last:
        return "Merry hounds"
    if "Sum the text up" in asked.last:
        return "Beagles need exercise."
    if "keywords" in asked.last:
        return '{"keywords": ["scent dog", "stamina"]}'
    return '{"questions": ["Why does my {dog} bark zyzzyva?"]}'


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with ollama_server(script) as fake:
        yield fake


@pytest.fixture
def opened(open_tenant: OpenTenant, server: FakeOllama) -> Open:
    def open_it(extractors: str = ALL, model: str = "m", data: Path | None = None) -> Engine:
        said = PROFILE.replace("EXTRACTORS", extractors).replace("URL", server.url).replace("MODEL", model)
        return open_tenant(said, data)

    return open_it


def ingest(engine: Engine, text: str = TEXT, **said: Any) -> Any:
    (result,) = engine.ingest([DocumentInput(content=text, **{"document_id": "a", "source": "notes/a.md", **said})])
    return result


def extracted(engine: Engine) -> list[dict[str, Any]]:
    return [dict(chunk.metadata.get("extracted", {})) for chunk in engine.chunks("a")]


def test_a_document_has_a_title_and_a_summary_and_its_chunks_keywords_and_questions(opened: Open) -> None:
    engine = opened()
    result = ingest(engine, metadata={"year": 2024})
    assert (result.state, result.reason) == ("ready", None)
    assert result.chunks_created > 1
    assert engine.document("a").title == "Merry hounds"
    assert engine.document("a").metadata == {
        "year": 2024,
        "extracted": {"title": "Merry hounds", "summary": "Beagles need exercise."},
    }
    of_chunks = {"keywords": ["scent dog", "stamina"], "questions": ["Why does my {dog} bark zyzzyva?"]}
    document = {"title": "Merry hounds", "summary": "Beagles need exercise."}
    assert extracted(engine) == [document | of_chunks] * result.chunks_created


def test_keywords_and_questions_are_found_and_never_quoted(opened: Open) -> None:
    engine = opened("keywords, questions")
    ingest(engine)
    (best, *_) = engine.search("zyzzyva", mode="sparse").hits
    assert "zyzzyva" not in best.content
    assert engine.content("a")[best.span.start : best.span.end] == best.content
    assert "zyzzyva" not in engine.answer("zyzzyva?").text


def test_a_documents_own_title_is_kept(opened: Open, server: FakeOllama) -> None:
    engine = opened("title")
    ingest(engine, title="Given")
    assert engine.document("a").title == "Given"
    ingest(engine, text="---\ntitle: Written\n---\n" + TEXT)
    assert engine.document("a").title == "Written"
    assert server.asked == []


def test_the_same_text_is_asked_about_once(opened: Open, server: FakeOllama) -> None:
    engine = opened()
    first = ingest(engine)
    asked = len(server.asked)
    assert asked == 2 + 2 * first.chunks_created
    assert ingest(engine, metadata={"year": 2024}).version == 2
    assert len(server.asked) == asked
    assert server.most_at_once <= 2  # half of the turns are for questions


@pytest.mark.parametrize("manner", ["missing", "broken-after-2", "rubbish", "empty"])
def test_a_model_that_fails_keeps_no_document_out_and_is_asked_again_later(
    opened: Open, server: FakeOllama, manner: str
) -> None:
    engine = opened("title, keywords")
    server.script = lambda _: Reply("" if manner == "empty" else "some words that are lost", manner)
    result = ingest(engine)
    assert (result.state, engine.document("a").state) == ("ready", "stale")
    assert f"did not give keywords ({result.chunks_created}), title (1)" in result.reason
    assert engine.search("merry hounds").hits
    server.script = script
    engine._parts.writing.ingestor._prepare._enrich._breaker._open_until = 0.0  # type: ignore[union-attr]
    (again,) = engine.reembed()
    assert (again.state, again.version, again.reason) == ("ready", 2, None)
    assert engine.document("a").title == "Merry hounds"
    assert engine.reembed() == []


def test_one_failing_chunk_spares_the_others(opened: Open, server: FakeOllama) -> None:
    def one_fails(asked: Asked) -> str:
        return "no list" if "merry hounds" in asked.last else script(asked)

    server.script = one_fails
    engine = opened("keywords")
    result = ingest(engine)
    assert "keywords (1)" in result.reason
    assert [bool(found) for found in extracted(engine)] == [False] + [True] * (result.chunks_created - 1)


def test_re_ingestion_without_the_model_is_unchanged(opened: Open, server: FakeOllama) -> None:
    server.script = lambda _: Reply("", "missing")
    engine = opened("title")
    assert [ingest(engine).state, ingest(engine).state] == ["ready", "unchanged"]
    server.script = script
    assert (ingest(engine).state, engine.document("a").state) == ("ready", "ready")


def test_a_model_that_failed_several_times_is_left_alone_for_a_while(opened: Open, server: FakeOllama) -> None:
    server.script = lambda _: Reply("", "missing")
    engine = opened("keywords")
    for number in range(5):
        ingest(engine, document_id=str(number), text=f"Beagle number {number} is a merry hound.")
    assert len(server.asked) == 3


def test_another_model_makes_documents_stale_and_extracts_again(opened: Open, server: FakeOllama) -> None:
    engine = opened()
    ingest(engine)
    engine.close()
    server.script = lambda asked: script(asked).replace("Merry", "Happy").replace("need", "want")
    engine = opened(model="n")
    assert engine.document("a").state == "stale"
    engine.reembed()
    assert engine.document("a").title == "Happy hounds"
    assert engine.document("a").metadata["extracted"]["summary"] == "Beagles want exercise."


def test_extracts_go_with_their_document(opened: Open, tmp_path: Path) -> None:
    engine = opened()
    chunks = ingest(engine).chunks_created
    receipt = engine.delete("a", purge=True)
    assert receipt.cache_entries_removed == chunks + 2 + 2 * chunks
    engine.close()
    for file in (tmp_path / "data" / "kennel").glob("catalogue*"):
        assert b"zyzzyva" not in file.read_bytes(), file


def test_a_tenant_without_model_extractors_calls_no_model(opened: Open, server: FakeOllama) -> None:
    engine = opened("title")
    ingest(engine, title="Given")
    assert server.paths == []
