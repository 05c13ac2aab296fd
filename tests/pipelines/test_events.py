"""Events for observers, whose failures do not break the work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from pipelines.engine import Engine, open_engine
from pipelines.errors import EmbeddingUnavailable, LlmUnavailable
from pipelines.events import (
    Answered,
    AnswerFailed,
    CacheAsked,
    Embedded,
    Event,
    Ingested,
    LlmCalled,
    PartFailed,
    Searched,
    safe_observer,
)
from pipelines.types import DocumentInput, TextWritten
from tests.fakes.asked import FakeOllama
from tests.fakes.ollama import ollama_server

PROFILE = """
tenant: kennel
rerank: [{{type: mmr, diversity: 0.2}}]
llm:
  provider: ollama
  model: llama3
  base_url: "{url}"
  allowed: [{{provider: ollama, model: drip-20ms}}, {{provider: ollama, model: crash}}]
  fallback: error
answer: {{abstain_below: 0, unsupported: annotate}}
"""
AWAY = """
tenant: away
embedding: {provider: ollama, model: none, base_url: "http://127.0.0.1:9", dimensions: 8}
"""
BEAGLE = "Beagles need sixty minutes of exercise a day."
Kind = TypeVar("Kind")
QUESTION = "How much exercise do beagles need?"


@pytest.fixture(scope="module")
def ollama() -> Iterator[FakeOllama]:
    with ollama_server() as fake:
        yield fake


@pytest.fixture(scope="module")
def reported() -> list[Event]:
    return []


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory, ollama: FakeOllama, reported: list[Event]) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("observed")
    (folder / "kennel.yaml").write_text(PROFILE.format(url=ollama.url), encoding="utf-8")
    with open_engine(folder / "kennel.yaml", folder / "data", reported.append) as opened:
        opened.ingest([DocumentInput(BEAGLE, document_id="beagle")])
        yield opened


@pytest.fixture(autouse=True)
def _forget(engine: Engine, reported: list[Event]) -> None:
    reported.clear()


def _only(reported: list[Event], kind: type[Kind]) -> Kind:
    [found] = [event for event in reported if isinstance(event, kind)]
    return found


def test_a_search_is_observed_with_its_stages(engine: Engine, reported: list[Event]) -> None:
    found = engine.search(QUESTION)
    event = _only(reported, Searched)
    assert (event.hits, event.best, event.failed_stages) == (1, found[0].score, 0)
    assert set(event.stages) == {"embed", "retrieve", "rerank"}
    assert all(seconds >= 0 for seconds in event.stages.values())
    assert sum(event.stages.values()) <= event.seconds
    assert _only(reported, Embedded).texts == 1


def test_a_search_without_a_dense_leg_has_no_stage_for_it(engine: Engine, reported: list[Event]) -> None:
    engine.search("exercise", mode="sparse")
    assert set(_only(reported, Searched).stages) == {"retrieve", "rerank"}


def test_documents_are_observed_batch_by_batch(engine: Engine, reported: list[Event]) -> None:
    texts = {"beagle": BEAGLE, "b": "Papillons are small.", "c": " "}
    engine.ingest([DocumentInput(text, document_id=name) for name, text in texts.items()])
    event = _only(reported, Ingested)
    assert (event.ready, event.unchanged, event.failures, event.chunks) == (1, 1, ("document_empty",), 1)
    assert _only(reported, CacheAsked) == CacheAsked("embedding", 0, 1)
    engine.ingest([DocumentInput("Papillons are small.", document_id="d", title="b")])
    assert [event for event in reported if isinstance(event, CacheAsked)][1].misses == 1, "the title is embedded, too"


def test_an_answer_is_observed_with_its_model_call(engine: Engine, reported: list[Event]) -> None:
    answer = engine.answer(QUESTION)
    event, call = _only(reported, Answered), _only(reported, LlmCalled)
    assert (event.confidence, event.reason, event.degraded) == (answer.confidence, None, False)
    assert event.generating is not None
    assert call.seconds <= event.generating <= event.seconds
    assert (call.model, call.outcome) == ("llama3", "ok")
    assert call.first is not None
    assert 0 <= call.first <= call.seconds
    assert call.prompt_tokens
    assert call.completion_tokens


def test_an_abandoned_answer_is_stopped_and_not_observed(engine: Engine, reported: list[Event]) -> None:
    events = engine.stream_answer(QUESTION, llm={"model": "drip-20ms"})
    next(event for event in events if isinstance(event, TextWritten))
    events.close()
    assert _only(reported, LlmCalled).outcome == "stopped"
    assert not any(isinstance(event, Answered | AnswerFailed) for event in reported)


def test_a_failed_answer_is_observed(engine: Engine, reported: list[Event]) -> None:
    with pytest.raises(LlmUnavailable):
        engine.answer(QUESTION, llm={"model": "crash"})
    assert _only(reported, AnswerFailed).code == _only(reported, LlmCalled).outcome == "llm_unavailable"


def test_figures_count_documents_and_chunks(engine: Engine) -> None:
    figures, stats = engine.figures(), engine.stats()
    assert (figures.chunks, figures.versions, figures.snapshot) == (stats.chunks, stats.versions, stats.snapshot)
    assert figures.documents == {"current": stats.documents, "stale": 0, "failed": stats.failed}
    assert figures.llm_calls == (0, 0)
    before = figures.jobs["queued"]
    engine.jobs.submit("optimize")
    assert engine.figures().jobs["queued"] == before + 1


def test_an_unavailable_embedding_server_is_observed(tmp_path: Path) -> None:
    reported: list[Event] = []
    (tmp_path / "away.yaml").write_text(AWAY, encoding="utf-8")
    opened = open_engine(tmp_path / "away.yaml", tmp_path / "data", reported.append)
    with opened as engine, pytest.raises(EmbeddingUnavailable):
        engine.search(QUESTION)
    assert _only(reported, PartFailed) == PartFailed("embedding", "embedding_unavailable")


def test_a_failing_observer_does_not_break_the_work(caplog: pytest.LogCaptureFixture) -> None:
    def fails(event: Event) -> None:
        raise RuntimeError("a bug")

    tell = safe_observer(fails)
    for _ in range(3):
        tell(Embedded(0.1, 1))
    assert len(caplog.records) == 1
