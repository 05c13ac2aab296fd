"""Reranker stages as LlamaIndex's postprocessors."""

from llama_index.core.schema import QueryBundle

from pipelines.components.rerankers.field_boost import FieldBoost
from pipelines.profile.stages import FieldBoostStage
from pipelines.query.llama import StagePostprocessor, from_node, to_node
from pipelines.types import Hit, LegScore, Span

HITS = [
    Hit("a", "a", 1, "A", "a.md", "About a.", {}, 0.6, {"fused": LegScore(1, 0.9)}, Span(0, 8), headings=("A", "B")),
    Hit("b", "b", 1, "B", "b.md", "About b.", {"kind": "law"}, 0.5, {"fused": LegScore(2, 0.8)}, Span(0, 8), page=3),
]
BOOST = FieldBoost(FieldBoostStage(type="field_boost", field="kind", weights={"law": 2}), "field_boost", {})


def test_a_node_keeps_everything_that_its_hit_has() -> None:
    assert [from_node(to_node(hit)) for hit in HITS] == HITS
    assert "fused" not in to_node(HITS[0]).node.get_content("llm")


def test_a_stage_orders_nodes_and_says_its_score() -> None:
    nodes = StagePostprocessor(BOOST).postprocess_nodes([to_node(hit) for hit in reversed(HITS)], QueryBundle("law"))
    assert [(node.node_id, node.score) for node in nodes] == [("b", 0.6), ("a", 0.36)]
    assert from_node(nodes[0]).scores["field_boost"] == LegScore(1, 1.0)
    assert StagePostprocessor(BOOST).postprocess_nodes([]) == []
