"""What a run asks of an engine, shown on one that is small enough to be foreseen: it scores by shared words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from pipelines.errors import Conflict, DocumentNotFound, InvalidRequest
from pipelines.evaluation.datasets import CorpusDocument, Dataset, Query
from pipelines.evaluation.engines import EvaluatedEngine, fresh_profile
from pipelines.evaluation.evaluate import evaluate
from pipelines.evaluation.indexing import Stage
from pipelines.profile.loader import LoadedProfile
from pipelines.profile.schema import Profile
from pipelines.profile.sections.limits import Limits
from pipelines.profile.sections.storage import EdgeStore, MemoryStore
from pipelines.types import (
    Answer,
    Citation,
    DocumentInput,
    Hit,
    IngestResult,
    Mode,
    Progress,
    SearchResult,
    Span,
    Stats,
)


def words(text: str) -> set[str]:
    return set(text.lower().strip("?").split())


class WordEngine:
    """One chunk for each line of a document; the answer to a question is its best line."""

    def __init__(self, *, top_k: int = 10_000) -> None:
        self.profile = Profile(tenant="words", limits=Limits(top_k=top_k))
        self.texts: dict[str, str] = {}
        self.titles: dict[str, str | None] = {}
        self.asked: list[tuple[str, int | None, Any, Mode | None]] = []
        self.scopes: list[Mapping[str, Any] | None] = []
        self.optimized = 0
        self.closed = False

    def ingest(
        self, documents: Iterable[DocumentInput], progress: Callable[[Progress], None] | None = None
    ) -> list[IngestResult]:
        results = []
        for document in documents:
            name, text = str(document.document_id), str(document.content)
            if text:
                self.texts[name], self.titles[name] = text, document.title
            results.append(IngestResult(name, "ready" if text else "failed", reason=None if text else "it is empty"))
            if progress:
                progress(Progress(len(results), None, len(results)))
        return results

    def ingest_path(
        self, path: Path, metadata: Mapping[str, Any] | None = None, progress: Callable[[Progress], None] | None = None
    ) -> list[IngestResult]:
        files = sorted(file for file in path.rglob("*") if file.is_file())
        named = (DocumentInput(file.read_text(), file.relative_to(path).as_posix()) for file in files)
        return self.ingest(named, progress)

    def optimize(self) -> None:
        self.optimized += 1

    def stats(self) -> Stats:
        lines = sum(text.count("\n") + 1 for text in self.texts.values())
        return Stats("words", len(self.texts), 0, lines, len(self.texts), 1, 0, "none", 0, 0)

    def search(
        self,
        query: str,
        *,
        top_k: int | None = None,
        filters: Mapping[str, Any] | None = None,
        mode: Mode | None = None,
        scope: Mapping[str, Any] | None = None,
    ) -> SearchResult:
        self.asked.append((query, top_k, filters, mode))
        self.scopes.append(scope)
        hits = [self._hit(query, name, line) for name in self.texts for line in self.texts[name].split("\n")]
        hits.sort(key=lambda hit: -hit.score)
        return SearchResult(tuple(hits[:top_k]), 1, 0.0)

    def _hit(self, query: str, name: str, line: str) -> Hit:
        start = self.texts[name].index(line)
        score = len(words(query) & words(line)) / len(words(query))
        return Hit(line, name, 1, "", "", line, {}, score, {}, Span(start, start + len(line)))

    def answer(
        self, question: str, *, filters: Mapping[str, Any] | None = None, scope: Mapping[str, Any] | None = None
    ) -> Answer:
        best = self.search(question, top_k=1, filters=filters, scope=scope)[0]
        citation = Citation(1, best.document_id, 1, best.chunk_id, "", "", best.content, best.span)
        text = f"{best.content} [1]"
        return Answer("a", question, text, False, None, best.score, (citation,), (), (best,), "", False, False, 1, {})

    def standalone(self, question: str, earlier: Sequence[tuple[str, str]]) -> str:
        return f"{question} {earlier[-1][0]}" if earlier else question

    def content(self, document_id: str, version: int | None = None) -> str:
        if version != 1:
            raise DocumentNotFound(document_id)
        return self.texts[document_id]


def opener(engine: WordEngine) -> Callable[[], AbstractContextManager[EvaluatedEngine]]:
    @contextmanager
    def open_fresh() -> Iterator[WordEngine]:
        yield engine
        engine.closed = True

    return open_fresh


CORPUS = (
    CorpusDocument("cats", "cats purr softly\ncats eat fish", "On cats", {"kind": "cat"}),
    CorpusDocument("dogs", "dogs bark loudly\ndogs eat meat"),
    CorpusDocument("birds", "birds sing at dawn"),
)
QUERIES = (
    Query("q1", "who purr softly", ("cats",)),
    Query("q2", "dogs eat", filters={"kind": "dog"}),
    Query("q3", "what flies"),
    Query("q4", "who sing at dawn", ("the larks",)),
)
QRELS = {"q1": {"cats": 1}, "q2": {"cats": 1, "dogs": 2}, "q3": {"cats": 0}, "q4": {"birds": 1}}
PETS = Dataset("pets", CORPUS, QUERIES, QRELS, (Query("u1", "where do fish swim", ("No idea.",)),))


def test_measures_are_in_printing_order() -> None:
    evaluation = evaluate(opener(WordEngine()), PETS)
    assert list(evaluation.metrics) == [
        "ndcg@10",
        "recall@10",
        "recall@100",
        "mrr@10",
        "hit@1",
        "hit@5",
        "chunks",
        "ingest_seconds",
        "chunks_per_second",
        "query_p50_ms",
        "query_p95_ms",
        "answer_hit_rate",
        "token_f1",
        "answer_words",
        "citation_precision",
        "declined",
        "abstention_auroc",
        "calibration_error",
        "calibration_chance",
        "aurc",
        "answer_p50_ms",
        "answer_p95_ms",
    ]
    assert evaluation.metrics["ndcg@10"] == 1.0
    assert evaluation.metrics["chunks"] == 5
    assert evaluation.metrics["answer_hit_rate"] == 0.5
    assert evaluation.metrics["citation_precision"] == 1.0
    assert evaluation.metrics["abstention_auroc"] == 1.0
    assert (evaluation.dataset, evaluation.tenant, evaluation.mode) == ("pets", "words", None)


def test_a_document_counts_by_its_best_chunk() -> None:
    evaluation = evaluate(opener(WordEngine()), PETS)
    assert evaluation.run["q2"] == (("dogs", 1.0), ("cats", 0.5), ("birds", 0.0))


def test_questions_without_relevant_documents_are_not_searched_but_listed() -> None:
    engine = WordEngine()
    evaluation = evaluate(opener(engine), PETS)
    assert "what flies" not in {query for query, *_ in engine.asked}
    rows = {row.query_id: row for row in evaluation.per_query}
    assert list(rows) == ["q1", "q2", "q3", "q4", "u1"]
    assert rows["q3"].metrics == {}
    assert rows["q1"].answer == "cats purr softly [1]"
    assert rows["q1"].judged is not None
    assert rows["q1"].judged.right
    assert rows["q2"].judged is None
    assert rows["u1"].judged is not None
    assert not rows["u1"].judged.answerable


def test_mode_and_filters_reach_every_search() -> None:
    engine = WordEngine()
    evaluation = evaluate(opener(engine), PETS, mode="sparse", answers=False)
    assert evaluation.mode == "sparse"
    assert {mode for *_, mode in engine.asked} == {"sparse"}
    assert {str(filters) for query, _, filters, _ in engine.asked if query == "dogs eat"} == {"{'kind': 'dog'}"}


def test_filters_reach_the_answers_too() -> None:
    engine = WordEngine()
    asked = Query("q", "who purr", ("cats",), filters={"kind": "cat"})
    evaluate(opener(engine), Dataset("pets", CORPUS, (asked,), {}))
    assert [one for one in engine.asked if one[0] == "who purr"] == [("who purr", 1, {"kind": "cat"}, None)]


def test_follow_ups_are_asked_as_rewritten_on_request() -> None:
    turns = {"history": [{"role": "user", "text": "cats"}, {"role": "agent", "text": "Yes?"}]}
    asked = Query("q", "who purr", ("cats",), metadata=turns), Query("r", "dogs eat", ("dogs",))
    dataset = Dataset("pets", CORPUS, asked, {"q": {"cats": 1}, "r": {"dogs": 1}})
    for history, text in ((True, "who purr cats"), (False, "who purr")):
        engine = WordEngine()
        rows = evaluate(opener(engine), dataset, history=history).per_query
        assert [row.text for row in rows] == [text, "dogs eat"]
        assert {query for query, *_ in engine.asked if "purr" in query} == {text}
        engine.closed = False


def test_a_scope_reaches_every_search_and_answer() -> None:
    engine = WordEngine()
    asked = Query("q", "who purr", ("cats",), scope={"kind": "cat"})
    evaluate(opener(engine), Dataset("pets", CORPUS, (asked,), {"q": {"cats": 1}}))
    assert [scope for (query, *_), scope in zip(engine.asked, engine.scopes, strict=True) if query == "who purr"] == [
        {"kind": "cat"}
    ] * 3


def test_the_rank_of_the_first_relevant_document_is_kept() -> None:
    rows = {row.query_id: row for row in evaluate(opener(WordEngine()), PETS).per_query}
    assert (rows["q1"].rank, rows["q2"].rank, rows["q3"].rank) == (1, 1, None)


def test_without_answers_nothing_is_answered() -> None:
    evaluation = evaluate(opener(WordEngine()), PETS, answers=False)
    assert list(evaluation.metrics)[-1] == "query_p95_ms"
    assert all(row.judged is None for row in evaluation.per_query)


def test_a_set_without_gold_answers_or_queries_gives_what_it_can() -> None:
    assert list(evaluate(opener(WordEngine()), Dataset("bare", CORPUS, (), {}, PETS.unanswerable)).metrics) == [
        "chunks",
        "ingest_seconds",
        "chunks_per_second",
        "declined",
        "answer_p50_ms",
        "answer_p95_ms",
    ]


def test_a_text_is_timed_once_and_before_it_is_searched_deeply() -> None:
    engine = WordEngine()
    twice = Dataset(
        "twice", CORPUS, (Query("a", "cats eat"), Query("b", "cats eat")), {"a": {"cats": 1}, "b": {"cats": 1}}
    )
    evaluation = evaluate(opener(engine), twice)
    assert [top_k for query, top_k, *_ in engine.asked if query == "cats eat"] == [10, 300, 300]
    assert [row.query_ms is None for row in evaluation.per_query] == [False, True]
    assert all(row.metrics["ndcg@10"] > 0 for row in evaluation.per_query)


LONG = tuple(CorpusDocument(f"long{n:03}", "\n".join(f"word {n} {line}" for line in range(12))) for n in range(120))


def test_a_search_deepens_until_a_hundred_documents_are_seen() -> None:
    engine = WordEngine()
    evaluation = evaluate(
        opener(engine), Dataset("long", LONG, (Query("q", "word"),), {"q": {"long099": 1, "long110": 1}})
    )
    assert [top_k for query, top_k, *_ in engine.asked if query == "word"] == [10, 300, 600, 1200]
    assert len(evaluation.run["q"]) == 100
    assert evaluation.metrics["recall@100"] == 0.5
    assert evaluation.metrics["recall@10"] == 0.0


def test_limits_that_bound_the_depth_are_reported() -> None:
    long = Dataset("long", LONG, (Query("q", "word"),), {"q": {"long099": 1}})
    with pytest.raises(InvalidRequest, match="limits -> top_k: 50 hits do not show 100 documents"):
        evaluate(opener(WordEngine(top_k=50)), long)


def test_limits_do_not_matter_where_the_hits_end_before() -> None:
    assert evaluate(opener(WordEngine(top_k=7)), PETS).metrics["recall@100"] == 1.0


def test_documents_are_offered_as_the_set_has_them_and_a_bare_title_is_their_text() -> None:
    engine = WordEngine()
    titled = CorpusDocument("titled", " ", "just a title")
    empty = CorpusDocument("empty", "")
    evaluation = evaluate(opener(engine), Dataset("pets", (*CORPUS, titled, empty), QUERIES, QRELS))
    assert engine.titles["cats"] == "On cats"
    assert engine.texts["cats"] == CORPUS[0].text
    assert engine.texts["titled"] == "just a title"
    assert [(failed.document_id, failed.reason) for failed in evaluation.failed] == [("empty", "it is empty")]
    assert engine.optimized == 1
    assert engine.closed


@pytest.mark.parametrize(("corpus", "message"), [((CorpusDocument("e", ""),), "it is empty"), ((), "for it is empty")])
def test_a_corpus_of_which_nothing_could_be_indexed_is_refused(
    corpus: tuple[CorpusDocument, ...], message: str
) -> None:
    with pytest.raises(InvalidRequest, match=f"nothing of its corpus could be indexed.*{message}"):
        evaluate(opener(WordEngine()), Dataset("void", corpus, QUERIES, QRELS))


def test_an_engine_that_holds_documents_is_not_evaluated_into() -> None:
    engine = WordEngine()
    engine.ingest([DocumentInput("mine", "mine")])
    with pytest.raises(Conflict, match="holds 1 document"):
        evaluate(opener(engine), PETS)
    assert list(engine.texts) == ["mine"]


def test_golden_questions_are_asked_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "pets").mkdir()
    (tmp_path / "pets" / "cats.md").write_text("cats purr softly")
    (tmp_path / "dogs.md").write_text("dogs bark loudly")
    golden = Dataset("golden", tmp_path, (Query("g", "cats purr", ("softly",)),), {"g": {"pets/cats.md": 1}})
    metrics = evaluate(opener(WordEngine()), golden).metrics
    assert (metrics["hit@1"], metrics["answer_hit_rate"], metrics["chunks"]) == (1.0, 1.0, 2)


def test_progress_reports_each_stage_to_its_end() -> None:
    reported: list[tuple[Stage, int, int | None]] = []
    evaluate(opener(WordEngine()), PETS, progress=lambda *step: reported.append(step))
    assert reported[:3] == [("ingest", 1, None), ("ingest", 2, None), ("ingest", 3, None)]
    assert reported[3:6] == [("search", 1, 3), ("search", 2, 3), ("search", 3, 3)]
    assert reported[6:] == [("answer", 1, 3), ("answer", 2, 3), ("answer", 3, 3)]


LIVE = Profile.model_validate(
    {
        "tenant": "live",
        "knowledge": {"path": "knowledge", "sync": "startup"},
        "metadata": {"fields": {"level": {"type": "keyword", "values": ["top"], "required": True}}},
        "store": {"engine": "server", "url": "http://127.0.0.1:6333", "hnsw": {"m": 32}, "quantization": "int8"},
        "catalogue": {"url": "postgresql+psycopg://127.0.0.1/live"},
        "retrieval": {"candidates": 40},
        "limits": {"top_k": 20},
    }
)


def test_an_evaluation_never_opens_what_is_live(tmp_path: Path) -> None:
    loaded = LoadedProfile(LIVE, tmp_path / "profile.yaml")
    fresh = fresh_profile(loaded, PETS)
    assert isinstance(fresh.profile.store, EdgeStore)
    assert (fresh.profile.store.hnsw.m, fresh.profile.store.quantization) == (32, "int8")
    assert fresh.profile.catalogue.url is None
    assert fresh.profile.knowledge.sync == "off"
    assert fresh.profile.limits.top_k == 10_000
    assert fresh.profile.retrieval == LIVE.retrieval
    assert fresh.knowledge_folder == loaded.knowledge_folder


def test_only_a_foreign_set_is_excused_from_required_metadata(tmp_path: Path) -> None:
    loaded = LoadedProfile(LIVE, tmp_path / "profile.yaml")
    foreign = fresh_profile(loaded, PETS).profile.metadata.fields["level"]
    own = fresh_profile(loaded, Dataset("golden", tmp_path, (), {})).profile.metadata.fields["level"]
    assert (foreign.required, foreign.values) == (False, ("top",))
    assert own.required


def test_golden_questions_of_another_tenant_bring_its_fields(tmp_path: Path) -> None:
    declared = LIVE.metadata
    golden = Dataset("golden", tmp_path, (), {}, metadata=declared)
    fresh = fresh_profile(LoadedProfile(Profile(tenant="bare"), tmp_path / "bare.yaml"), golden)
    assert fresh.profile.metadata == declared


def test_a_store_in_memory_stays_one(tmp_path: Path) -> None:
    loaded = LoadedProfile(Profile(store=MemoryStore(engine="memory")), tmp_path / "profile.yaml")
    assert isinstance(fresh_profile(loaded, PETS).profile.store, MemoryStore)
