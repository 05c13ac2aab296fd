"""Explanations, held against the searches that they explain."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipelines.engine import Engine, open_engine
from pipelines.errors import ChunkNotFound, DocumentNotFound, InvalidFilter, InvalidRequest
from pipelines.types import DocumentInput, Explanation

PROFILE = """
tenant: ledgers
store: {engine: ENGINE}
metadata:
  fields:
    level: {type: keyword, values: [platform, suite, module], required: true}
    suite: {type: keyword}
    module: {type: keyword}
    year:  {type: integer}
  hierarchy: {level: level, path: [suite, module]}
retrieval: {candidates: 6, top_k: 3}
limits: {top_k: 10, content_chars: [5, 5000]}
RERANK
"""
BOOST = "rerank: [{type: field_boost, field: suite, weights: {pay: 3}, depth: 5}]"
QUERY = "how is the ledger reconciled"
COUNT = 24


def text(number: int) -> str:
    """Closer to the question the lower the number; every third shares no word with it."""
    if number % 3 == 2:
        return f"A cat sleeps on sofa {number}. " * 2
    return f"Number {number}: the ledger is reconciled. " + "Somebody else buys many apples. " * number


def place(number: int) -> dict[str, Any]:
    if number % 4 == 0:
        return {"level": "platform"}
    suite = "pay" if number % 2 else "fed"
    return {"level": "suite", "suite": suite} if number % 3 else {"level": "module", "suite": suite, "module": "core"}


def fill(engine: Engine) -> None:
    documents = [
        DocumentInput(text(number), document_id=f"d{number}", metadata={**place(number), "year": 2000 + number})
        for number in range(COUNT)
    ]
    assert {result.state for result in engine.ingest(documents)} == {"ready"}


@pytest.fixture(scope="module", params=["edge", "memory"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(tmp_path_factory.mktemp("explained"), request.param) as engine:
        yield engine


def opened(folder: Path, store: str = "memory", rerank: str = "") -> Engine:
    (folder / "profile.yaml").write_text(PROFILE.replace("ENGINE", store).replace("RERANK", rerank))
    engine = open_engine(folder / "profile.yaml", folder / "data")
    fill(engine)
    return engine


def ranks(explanation: Explanation) -> dict[str, int | None]:
    return {stage.name: stage.rank for stage in explanation.stages}


@pytest.mark.parametrize("mode", ["hybrid", "dense", "sparse"])
@pytest.mark.parametrize("top_k", [1, 3, 8, 10])
def test_explanations_agree_with_the_search_for_every_document(engine: Engine, mode: Any, top_k: int) -> None:
    hits = {hit.document_id: (rank, hit) for rank, hit in enumerate(engine.search(QUERY, top_k=top_k, mode=mode), 1)}
    for number in range(COUNT):
        explained = engine.explain(QUERY, document_id=f"d{number}", top_k=top_k, mode=mode)
        assert explained.found == (f"d{number}" in hits)
        assert (explained.dropped_by is None) == (explained.hint is None) == explained.found
        if explained.found:
            rank, hit = hits[f"d{number}"]
            assert explained.chunk_id == hit.chunk_id
            assert explained.stages[-1].rank == rank
            assert explained.stages[-1].score == pytest.approx(hit.score)
            expected = {name: score.rank for name, score in hit.scores.items()}
            assert {name: found for name, found in ranks(explained).items() if name in expected} == expected
        elif mode != "hybrid" and explained.dropped_by in ("top_k", "candidates"):
            leg = explained.stages[0]
            assert leg.name == mode
            assert leg.rank is None or leg.rank > top_k


def test_the_top_k_that_is_advised_shows_it(engine: Engine) -> None:
    advised = 0
    for number in range(COUNT):
        explained = engine.explain(QUERY, document_id=f"d{number}", top_k=1)
        if explained.dropped_by == "top_k" and (explained.stages[-1].rank or 99) <= 10:
            wanted = explained.stages[-1].rank
            assert explained.hint == f"ask for top_k {wanted} or more (now 1)"
            assert engine.explain(QUERY, document_id=f"d{number}", top_k=wanted).found
            advised += 1
    assert advised


def test_the_rank_beyond_the_candidates_is_the_real_one(engine: Engine) -> None:
    last = engine.search(QUERY, mode="sparse", top_k=10)[9]
    explained = engine.explain(QUERY, document_id=last.document_id, mode="sparse")
    assert ranks(explained) == {"sparse": 10}
    assert (explained.stages[0].kept, explained.dropped_by) == (False, "candidates")
    assert explained.hint == "it is number 10 in the sparse leg: set retrieval -> candidates to 10 or more (now 6)"


def test_a_document_without_shared_words_is_reported(engine: Engine) -> None:
    explained = engine.explain(QUERY, document_id="d23", mode="sparse")
    assert explained.stages[0].note == "it shares no word with the query"
    assert (explained.hint or "").startswith("it shares no word with the query: search in mode hybrid or dense")
    assert ranks(engine.explain(QUERY, document_id="d23", mode="dense"))["dense"] is not None


def test_the_clause_that_excludes_is_named_and_each_is_counted(engine: Engine) -> None:
    filters = {"year": {"gte": 2003, "lt": 2020}, "or": [{"suite": "pay"}, {"level": "platform"}]}
    explained = engine.explain(QUERY, document_id="d0", filters=filters)
    assert explained.dropped_by == "filter: year >= 2003"
    assert explained.stages[0].name == "filter"
    assert not explained.stages[0].kept
    assert [(row.clause, row.matches, row.left, row.fits) for row in explained.filter] == [
        ("can be read", 24, 24, True),
        ("year >= 2003", 21, 21, False),
        ("year < 2020", 20, 17, True),
        ('(suite = "pay" or level = "platform")', 18, 13, True),
    ]
    assert explained.hint == "leave out year >= 2003 (its year is 2000); it would then be number 1"


def test_clauses_that_fit_exclude_nothing(engine: Engine) -> None:
    explained = engine.explain(QUERY, document_id="d0", filters={"year": 2000, "suite": {"exists": False}})
    assert explained.found
    assert (explained.stages[0].name, explained.stages[0].kept) == ("filter", True)
    assert [row.fits for row in explained.filter] == [True, True, True]


def test_what_it_would_be_without_the_clause_is_what_it_then_is(engine: Engine) -> None:
    explained = engine.explain(QUERY, document_id="d1", filters={"suite": "fed", "year": {"lt": 2010}})
    rank = engine.explain(QUERY, document_id="d1", filters={"year": {"lt": 2010}}).stages[-1].rank
    assert rank is not None
    # Where several shards weigh words, it is further down.
    deeper = f", so ask for top_k {rank} too" if rank > 3 else ""
    assert explained.hint == f'leave out suite = "fed" (its suite is "pay"); it would then be number {rank}{deeper}'


def test_a_scope_has_a_row_for_each_level(engine: Engine) -> None:
    scope = {"suite": "fed", "module": "core"}
    explained = engine.explain(QUERY, document_id="d1", scope=scope)
    assert (explained.dropped_by or "").startswith("scope: ")
    clauses = [(row.clause, row.left is None, row.fits) for row in explained.filter]
    assert [alternative for _, alternative, _ in clauses] == [False, False, True, True, True]
    assert not any(fits for _, _, fits in clauses[1:])
    assert [row.clause for row in explained.filter[2:4]] == ['level = "platform"', 'level = "suite", suite = "fed"']
    assert explained.filter[1].matches == sum(row.matches for row in explained.filter[2:])
    seen = engine.documents(scope=scope, limit=100).total
    assert explained.filter[1].matches == seen


def test_a_scoped_explanation_reveals_nothing_of_others(engine: Engine) -> None:
    chunk_id = engine.chunks("d1")[0].chunk_id
    held = engine.within({"suite": "fed"})
    for asked in ({"document_id": "d1"}, {"document_id": "nothing"}):
        with pytest.raises(DocumentNotFound):
            held.explain(QUERY, **asked)
    with pytest.raises(ChunkNotFound):
        held.explain(QUERY, chunk_id=chunk_id)
    rows = held.explain(QUERY, document_id="d2", filters={"suite": ["fed", "pay"]}).filter
    assert rows[0].matches == held.documents(limit=100).total < COUNT
    assert rows[1].matches <= rows[0].matches


def test_an_unknown_or_missing_id_is_an_error(engine: Engine) -> None:
    with pytest.raises(DocumentNotFound, match="nothing"):
        engine.explain(QUERY, document_id="nothing")
    for chunk_id in ("x", "00000000-0000-0000-0000-000000000000"):
        with pytest.raises(ChunkNotFound):
            engine.explain(QUERY, chunk_id=chunk_id)
    with pytest.raises(ChunkNotFound):
        engine.explain(QUERY, chunk_id=engine.chunks("d1")[0].chunk_id, document_id="d2")
    with pytest.raises(InvalidRequest, match="document_id: is required, or chunk_id"):
        engine.explain(QUERY)
    with pytest.raises(InvalidFilter):
        engine.explain(QUERY, document_id="d1", filters={"yaer": 1})
    with pytest.raises(InvalidRequest, match="as_of"):
        engine.explain(QUERY, document_id="d1", as_of=1000)


def test_a_chunk_of_a_long_document_is_followed_by_its_id(engine: Engine) -> None:
    engine.ingest([DocumentInput("# Ledger\n\n" + text(21) * 3, document_id="long", metadata=place(0))])
    chunks = engine.chunks("long")
    assert len(chunks) > 1
    explained = engine.explain(QUERY, chunk_id=chunks[-1].chunk_id)
    assert (explained.document_id, explained.chunk_id) == ("long", chunks[-1].chunk_id)
    best = engine.explain(QUERY, document_id="long")
    engine.delete("long")
    assert (best.stages[0].rank or 999) <= (explained.stages[0].rank or 999)


# ---------------------------------------------------------------------------------------------------------------------


def test_a_stage_is_listed_with_its_rank_and_named_if_it_drops_a_hit(tmp_path: Path) -> None:
    with opened(tmp_path, rerank=BOOST) as engine:
        plain = engine.explain(QUERY, document_id="d0", top_k=1)
        assert [stage.name for stage in plain.stages] == ["dense", "sparse", "fused", "field_boost", "result"]
        assert ranks(plain)["fused"] == 1
        assert (plain.dropped_by, plain.stages[-1].rank) == ("field_boost", ranks(plain)["field_boost"])
        assert (plain.hint or "").startswith("field_boost moved it from place 1 to ")
        below = [engine.explain(QUERY, document_id=f"d{number}", top_k=1) for number in range(COUNT)]
        notes = {stage.note for one in below for stage in one.stages if stage.name == "field_boost"}
        assert notes == {None, "it reads only the first 5"}


def test_a_replaced_version_is_reported_with_its_period(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        chunk_id = engine.chunks("d0")[0].chunk_id
        before = engine.stats().snapshot
        engine.ingest([DocumentInput("Other words.", document_id="d0", metadata=place(0))])
        explained = engine.explain(QUERY, chunk_id=chunk_id)
        assert (explained.found, explained.dropped_by, explained.version) == (False, "version", 1)
        assert explained.hint == f"version 1 was current until snapshot {before}: ask with as_of {before}"
        assert engine.explain(QUERY, chunk_id=chunk_id, as_of=before).found
        assert engine.explain(QUERY, document_id="d0", as_of=before).version == 1
        new = engine.chunks("d0")[0].chunk_id
        assert "came with snapshot" in (engine.explain(QUERY, chunk_id=new, as_of=before).hint or "")


def test_a_deleted_document_is_explained_only_in_the_past(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        chunk_id, before = engine.chunks("d0")[0].chunk_id, engine.stats().snapshot
        engine.delete("d0")
        with pytest.raises(DocumentNotFound):
            engine.explain(QUERY, document_id="d0")
        with pytest.raises(ChunkNotFound):
            engine.explain(QUERY, chunk_id=chunk_id)
        past = engine.explain(QUERY, document_id="d0", filters={"year": 2000}, as_of=before)
        assert past.found
        assert [row.matches for row in past.filter] == [COUNT, 1]
        assert engine.explain(QUERY, document_id="d1", filters={"year": 2000}).filter[1].matches == 0


def test_a_document_that_could_not_be_read_in_says_why(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        engine.ingest([DocumentInput("", document_id="empty", metadata=place(0))])
        explained = engine.explain(QUERY, document_id="empty")
        assert (explained.found, explained.dropped_by, explained.version) == (False, "ingestion", 0)
        assert "it holds no text" in (explained.hint or "")


def test_a_notebook_shows_a_table_in_which_nothing_is_markup(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        script = "<script>alert(1)</script>"
        engine.ingest([DocumentInput("Words.", document_id=script, metadata={"level": "suite", "suite": script})])
        shown = engine.explain(f"{script} ledger", document_id=script, filters={"suite": ["fed", script]})._repr_html_()
        assert "<script" not in shown
        assert shown.count("<table>") == 2
        assert "&lt;script&gt;" in shown
        assert ">dense</td>" in shown


def test_a_leg_that_finds_nothing_at_all_is_explained(engine: Engine) -> None:
    explained = engine.explain("zzyzx", document_id="d1", mode="sparse")
    assert not explained.found
    assert explained.dropped_by == "candidates"
