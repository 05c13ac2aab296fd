"""The stage ``balance``: kinds of documents take turns in what is found."""

from __future__ import annotations

from pipelines.engine import Engine
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant

PROFILE = """
tenant: papers
store: {engine: memory}
metadata: {fields: {kind: {type: keyword}, year: {type: integer}}}
retrieval: {candidates: 6}
rerank: [{type: balance, field: kind, depth: 6, values: [trial], LEAST}]
"""
PAPER, TRIAL = {"kind": "paper", "year": 2020}, {"kind": "trial", "year": 2021}
QUESTION = "How does metformin change weight?"


def opened(open_tenant: OpenTenant, least: str = "least: 0") -> Engine:
    engine = open_tenant(PROFILE.replace("LEAST", least))
    papers = [
        DocumentInput(f"Metformin changes weight by {number} kilograms.", f"p{number}.md", metadata=PAPER)
        for number in range(1, 9)
    ]
    trial = DocumentInput("A trial of metformin, in which people are weighed.", "t.md", metadata=TRIAL)
    other = DocumentInput("How does metformin change weight? A note.", "n.md", metadata={"year": 2020})
    assert all(result.state == "ready" for result in engine.ingest([*papers, trial, other]))
    return engine


def test_kinds_take_turns_and_one_that_was_not_found_is_looked_up(open_tenant: OpenTenant) -> None:
    hits = opened(open_tenant).search(QUESTION, top_k=3).hits
    assert {hit.metadata.get("kind") for hit in hits} == {"paper", "trial", None}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_hit_that_is_worth_too_little_takes_no_turn(open_tenant: OpenTenant) -> None:
    hits = opened(open_tenant, "least: 1").search(QUESTION, top_k=3).hits
    assert "trial" not in {hit.metadata.get("kind") for hit in hits}


def test_what_is_looked_up_passes_the_filters(open_tenant: OpenTenant) -> None:
    hits = opened(open_tenant).search(QUESTION, top_k=10, filters={"year": 2020}).hits
    assert "trial" not in {hit.metadata.get("kind") for hit in hits}
    assert len(hits) == 9


def test_no_hit_is_found_twice(open_tenant: OpenTenant) -> None:
    hits = opened(open_tenant).search(QUESTION, top_k=10).hits
    assert len({hit.chunk_id for hit in hits}) == len(hits) == 10


def test_no_hit_of_several_values_is_found_twice(open_tenant: OpenTenant) -> None:
    engine = open_tenant("""
tenant: papers
store: {engine: memory}
metadata: {fields: {kind: {type: keywords}}}
retrieval: {candidates: 2}
rerank: [{type: balance, field: kind, values: [trial, review, letter], least: 0, depth: 2}]
""")
    kinds = {"a.md": ["paper", "trial"], "b.md": ["paper"], "c.md": ["review", "letter"]}
    texts = {"a.md": "Metformin changes weight.", "b.md": "How metformin changes weight.", "c.md": "Pugs snore."}
    engine.ingest([DocumentInput(text, name, metadata={"kind": kinds[name]}) for name, text in texts.items()])
    hits = engine.search(QUESTION, top_k=10).hits
    assert sorted(hit.document_id for hit in hits) == ["a.md", "b.md", "c.md"]
