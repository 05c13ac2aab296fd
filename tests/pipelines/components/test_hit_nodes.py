"""Hits as LlamaIndex's nodes, and nodes of others as hits."""

import copy
import pickle
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from llama_index.core.schema import IndexNode, NodeWithScore, QueryBundle, TextNode

from pipelines.components.hit_nodes import hit_to_node, hits_to_nodes, node_to_hit
from pipelines.components.rerankers.field_boost import FieldBoost
from pipelines.errors import InvalidRequest
from pipelines.profile.sections.rerank import FieldBoostStage
from pipelines.types import Hit, LegScore, Span

_LEG = {"fused": LegScore(1, 0.9)}
_MOMENT = datetime(2026, 1, 25, 10, tzinfo=UTC)
HITS = [
    Hit("a", "a", 1, "A", "a.md", "About a.", {}, 0.6, _LEG, Span(0, 8), headings=("A", "B"), updated_at=_MOMENT),
    Hit("b", "b", 1, "B", "b.md", "About b.", {"kind": "law"}, 0.5, {"fused": LegScore(2, 0.8)}, Span(0, 8), page=3),
]
BOOST = FieldBoost(FieldBoostStage(type="field_boost", field="kind", weights={"law": 2}), "field_boost", {})


def test_a_node_keeps_everything_that_its_hit_has() -> None:
    assert [node_to_hit(hit_to_node(hit)) for hit in HITS] == HITS
    read = hit_to_node(HITS[0]).node.get_content("llm")
    assert "fused" not in read
    assert "2026" not in read


def test_a_node_survives_json() -> None:
    for hit in HITS:
        node = TextNode.from_json(hit_to_node(hit).node.to_json())
        assert node_to_hit(NodeWithScore(node=node, score=hit.score)) == hit


def test_nodes_share_nothing_that_can_change() -> None:
    first, second = hits_to_nodes(HITS)
    first.node.excluded_llm_metadata_keys.append("title")
    first.node.metadata["own"] = 1
    first.node.relationships["1"] = None  # type: ignore[index, assignment]
    assert second == hit_to_node(HITS[1])


def test_a_stage_orders_nodes_and_says_its_score() -> None:
    nodes = BOOST.postprocess_nodes(hits_to_nodes(reversed(HITS)), QueryBundle("law"))
    assert [(node.node_id, node.score) for node in nodes] == [("b", 0.6), ("a", 0.36)]
    assert node_to_hit(nodes[0]).scores["field_boost"] == LegScore(1, 1.0)
    assert BOOST.postprocess_nodes([]) == []


def test_a_stage_leaves_the_nodes_of_others_what_they_are() -> None:
    text = IndexNode(id_="own", text="Own text.", index_id="index", metadata={"file_name": "own.txt", "kind": "law"})
    before = text.model_copy(deep=True)
    (ranked,) = BOOST.postprocess_nodes([NodeWithScore(node=text, score=0.5)], QueryBundle("law"))
    assert isinstance(ranked.node, IndexNode)
    assert ranked.node.metadata == {**before.metadata, "scores": {"field_boost": LegScore(1, 1.0)}}
    assert "field_boost" not in ranked.node.get_content("llm")
    assert text == before
    assert node_to_hit(ranked).source == "own.txt"


def test_a_node_without_a_file_cannot_be_a_hit() -> None:
    with pytest.raises(InvalidRequest, match="node own has no file_name"):
        node_to_hit(NodeWithScore(node=TextNode(id_="own", text="Own text.")))


def test_a_node_that_was_not_read_gives_its_hit_back() -> None:
    assert node_to_hit(hit_to_node(HITS[0])) is HITS[0]
    moved = hit_to_node(HITS[0])
    moved.score = 0.3
    assert node_to_hit(moved) == replace(HITS[0], score=0.3)


def test_changes_of_a_node_change_its_hit() -> None:
    renamed, rewritten = hit_to_node(HITS[0]), hit_to_node(HITS[0])
    renamed.node.metadata["title"] = "Another"
    rewritten.node.set_content("Other words.")
    assert node_to_hit(renamed) == replace(HITS[0], title="Another")
    assert node_to_hit(rewritten) == replace(HITS[0], content="Other words.")


def test_a_node_is_what_a_validated_one_would_be() -> None:
    made = hit_to_node(HITS[1]).node
    validated = TextNode(**made.__dict__)
    assert made == validated
    assert made.model_dump() == validated.model_dump()


def test_a_node_that_was_not_read_is_copied_and_written_whole() -> None:
    read = hit_to_node(HITS[1])
    assert read.node.get_content() == "About b."
    for copied in (copy.deepcopy(hit_to_node(HITS[1])), pickle.loads(pickle.dumps(hit_to_node(HITS[1])))):
        assert copied == read
    assert hit_to_node(HITS[1]).to_dict() == read.to_dict()
    assert hit_to_node(HITS[1]) != hit_to_node(HITS[0])
