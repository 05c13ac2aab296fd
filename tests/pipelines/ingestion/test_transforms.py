from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from llama_index.core.schema import BaseNode, MetadataMode, NodeRelationship, RelatedNodeInfo, TextNode

from pipelines.catalogue import Catalogue, EmbeddingCache
from pipelines.components.embedding import Embedder
from pipelines.components.embedding.base import Vectors
from pipelines.components.store.chunk_nodes import index_context, indexed_text
from pipelines.ingestion.transforms import Embed, Locate, structure
from pipelines.types import Heading, Page, Span

PAGES = (Page(1, Span(0, 50), "i"), Page(2, Span(50, 100), "1"))
HEADINGS = (Heading(1, "Beagle", 0), Heading(2, "Food", 40), Heading(2, "Walks", 70))


def chunk(
    start: int,
    document_id: str = "a",
    title: str = "Dogs",
    pages: Sequence[Page] = PAGES,
    headings: Sequence[Heading] = HEADINGS,
) -> TextNode:
    return TextNode(
        text=f"text at {start}",
        start_char_idx=start,
        end_char_idx=start + 10,
        metadata={"title": title, **structure(pages, headings)},
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document_id)},
    )


def locate(*, with_headings: bool = True, embed: str = "title headings", context_weight: int = 1) -> Locate:
    return Locate(
        with_headings=with_headings,
        embed_title="title" in embed,
        embed_headings="headings" in embed,
        context_weight=context_weight,
    )


def said(nodes: Sequence[BaseNode], *keys: str) -> list[tuple[object, ...]]:
    return [tuple(node.metadata[key] for key in keys) for node in nodes]


def test_a_chunk_knows_its_place() -> None:
    nodes = locate()([chunk(0), chunk(45), chunk(80)])
    assert said(nodes, "index", "start", "end", "page", "page_label", "headings") == [
        (0, 0, 10, 1, "i", ["Beagle"]),
        (1, 45, 55, 1, "i", ["Beagle", "Food"]),
        (2, 80, 90, 2, "1", ["Beagle", "Walks"]),
    ]
    assert all("pages" not in node.metadata for node in nodes)


def test_every_document_has_its_own_structure_and_count() -> None:
    other = {"document_id": "b", "pages": (), "headings": (Heading(1, "Cat", 0),)}
    nodes = locate()([chunk(0), chunk(45), chunk(0, **other), chunk(45, **other)])  # type: ignore[arg-type]
    assert said(nodes, "index", "page", "headings") == [
        (0, 1, ["Beagle"]),
        (1, 1, ["Beagle", "Food"]),
        (0, None, ["Cat"]),
        (1, None, ["Cat"]),
    ]


def test_without_the_headings_extractor_a_chunk_has_no_path() -> None:
    (node,) = locate(with_headings=False)([chunk(45)])
    assert said([node], "headings", "context") == [([], "Dogs")]


@pytest.mark.parametrize(
    ("embed", "context"),
    [("title headings", "Dogs > Beagle > Food"), ("title", "Dogs"), ("headings", "Beagle > Food"), ("", "")],
)
def test_the_context_is_what_the_profile_embeds(embed: str, context: str) -> None:
    (node,) = locate(embed=embed)([chunk(45)])
    assert node.metadata["context"] == context
    assert indexed_text({**node.metadata, "text": node.get_content()}) == f"{context}\ntext at 45".strip()


def test_a_heading_that_repeats_the_title_appears_once() -> None:
    (node,) = locate()([chunk(45, title="Beagle")])
    assert node.metadata["context"] == "Beagle > Food"


@pytest.mark.parametrize("weight", [1, 3])
def test_bm25_reads_the_context_as_often_as_it_weighs_and_nothing_else(weight: int) -> None:
    (node,) = locate(embed="title", context_weight=weight)([chunk(45)])
    assert node.get_content(MetadataMode.EMBED).split("\n") == ["Dogs"] * weight + ["text at 45"]
    assert node.get_content() == "text at 45"


def test_commit_stamps_of_a_chunk_are_not_indexed() -> None:
    (node,) = locate(embed="title")([chunk(45)])
    node.metadata |= {"version": 7, "valid_from": 1, "valid_to": 2**40}
    assert node.get_content(MetadataMode.EMBED) == "Dogs\ntext at 45"


def test_an_expansion_stands_behind_the_text_once_whatever_it_holds() -> None:
    (node,) = locate(embed="title", context_weight=2)([chunk(45)])
    node.metadata["expansion"] = "Why {content}?"
    index_context(node, 2)
    assert node.get_content(MetadataMode.EMBED) == "Dogs\nDogs\ntext at 45\nWhy {content}?"
    assert indexed_text({**node.metadata, "text": node.get_content()}) == "Dogs\ntext at 45\nWhy {content}?"


def test_a_document_of_many_headings_and_chunks_is_placed() -> None:
    headings = tuple(Heading(1 + number % 3, f"h{number}", number * 10) for number in range(20_000))
    first = chunk(0, headings=headings)
    nodes = [
        TextNode(
            text="x",
            start_char_idx=number * 10,
            metadata=dict(first.metadata),
            relationships=first.relationships,
        )
        for number in range(20_000)
    ]
    placed = locate()(nodes)
    assert placed[-1].metadata["headings"] == ["h19998", "h19999"]
    assert placed[-2].metadata["headings"] == ["h19998"]


class Counting:
    """Encodes a text as its length, and remembers what it was asked for."""

    name = "length"
    dimensions = 2
    query_prefix = text_prefix = ""

    def __init__(self, fingerprint: str = "length-1") -> None:
        self.fingerprint = fingerprint
        self.asked: list[str] = []

    def vectors(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[EmbeddingCache]:
    catalogue = Catalogue.in_folder(tmp_path, "kennel")
    catalogue.claim("length-1", {})
    yield EmbeddingCache(catalogue.engine, "kennel")
    catalogue.close()


def texts(*contents: str, context: str = "") -> list[TextNode]:
    return [TextNode(text=content, metadata={"context": context, "document_id": content}) for content in contents]


def test_the_same_text_is_embedded_once(cache: EmbeddingCache) -> None:
    encoder = Counting()
    nodes = Embed(Embedder(encoder), cache)(texts("one", "three", "one"))
    Embed(Embedder(encoder), cache)(texts("three", "sixteen"))
    assert encoder.asked == ["one", "three", "sixteen"]
    assert [node.embedding for node in nodes] == [[3, 1], [5, 1], [3, 1]]


def test_the_same_text_in_another_context_or_for_another_model_is_another(cache: EmbeddingCache) -> None:
    first, second = Counting(), Counting("length-2")
    Embed(Embedder(first), cache)(texts("one"))
    Embed(Embedder(first), cache)(texts("one", context="Title"))
    Embed(Embedder(second), cache)(texts("one"))
    assert (first.asked, second.asked) == (["one", "Title\none"], ["one"])


def test_without_a_cache_every_call_embeds() -> None:
    encoder = Counting()
    embed = Embed(Embedder(encoder), None)
    for _ in range(2):
        assert embed(texts("one", "one"))[1].embedding == [3, 1]
    assert encoder.asked == ["one", "one"]


def test_a_text_is_embedded_again_after_its_document_was_forgotten(cache: EmbeddingCache) -> None:
    encoder = Counting()
    embed = Embed(Embedder(encoder), cache)
    embed(texts("one", "three"))
    assert cache.forget("one") == 1
    embed(texts("one", "three"))
    assert encoder.asked == ["one", "three", "one"]
