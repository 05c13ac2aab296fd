"""LlamaIndex components of the caller's own in the place of the profile's."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.extractors import BaseExtractor
from llama_index.core.node_parser import HierarchicalNodeParser, SentenceSplitter, TextSplitter
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle

from pipelines.engine import Engine, open_engine
from pipelines.errors import InvalidRequest
from pipelines.types import DocumentInput

MEMORY = {"tenant": "dogs", "store": {"engine": "memory"}}
TEXT = "Beagles hunt hares.\n\nCollies herd sheep.\n\nBeagles hunt hares.\n\nTerriers dig."


class Paragraphs(TextSplitter):
    """A chunk for each paragraph."""

    joint: str = "\n\n"

    def split_text(self, text: str) -> list[str]:
        return text.split(self.joint)


class Shouting(TextSplitter):
    """Changes what it cuts."""

    def split_text(self, text: str) -> list[str]:
        return [text.upper()]


class Backwards(BaseNodePostprocessor):
    """Puts the last candidate first, and drops those that speak of terriers."""

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        kept = [found for found in nodes if "Terriers" not in found.node.get_content()]
        return [NodeWithScore(node=found.node, score=1.0 - place / 10) for place, found in enumerate(reversed(kept))]


class Broken(BaseNodePostprocessor):
    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        raise KeyError("no")


class Letters(BaseEmbedding):
    """Counts a few letters: texts with the same letters are alike."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return [float(text.lower().count(letter)) + 0.01 for letter in "bcsht"]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class Verbs(BaseExtractor):
    """Names what the dogs do in another word."""

    async def aextract(self, nodes: Sequence[BaseNode]) -> list[dict[str, Any]]:
        return [{"deed": "excavating"} if "dig" in node.get_content() else {} for node in nodes]


def opened(**components: Any) -> Engine:
    engine = open_engine(MEMORY, components={key.replace("__", "."): value for key, value in components.items()})
    assert [result.state for result in engine.ingest(DocumentInput(TEXT, "dogs"))] == ["ready"]
    return engine


def test_a_node_parser_cuts_chunks_with_exact_spans_where_texts_repeat() -> None:
    with opened(splitter=Paragraphs()) as engine:
        chunks, stored = engine.chunks("dogs"), engine.content("dogs")
        assert [chunk.content for chunk in chunks] == TEXT.split("\n\n")
        assert [stored[chunk.span.start : chunk.span.end] for chunk in chunks] == TEXT.split("\n\n")
        assert len({chunk.span.start for chunk in chunks}) == 4


@pytest.mark.parametrize(
    "parser", [SentenceSplitter(chunk_size=64, chunk_overlap=8), HierarchicalNodeParser.from_defaults([128, 64])]
)
def test_llama_indexs_own_parsers_give_verbatim_chunks(parser: Any) -> None:
    document = DocumentInput(
        "# Dogs\n\n" + "Beagles hunt hares in packs. " * 40, "long", "Long", metadata={"a": "b" * 500}
    )
    with open_engine(MEMORY, components={"splitter": parser}) as engine:
        engine.ingest(document)
        chunks, stored = engine.chunks("long"), engine.content("long")
        assert len(chunks) > 3
        assert all(stored[chunk.span.start : chunk.span.end] == chunk.content for chunk in chunks)


def test_a_node_parser_that_changes_the_text_fails_the_document_alone() -> None:
    with open_engine(MEMORY, components={"splitter": Shouting()}) as engine:
        [result] = engine.ingest("Beagles hunt hares.")
        assert result.state == "failed"
        assert "Shouting changed the text: 'BEAGLES HUNT HARES.' is not in it" in str(result.reason)


def test_other_settings_of_a_parser_cut_documents_anew(tmp_path: Any) -> None:
    profile = {"tenant": "dogs"}
    with open_engine(profile, tmp_path, components={"splitter": Paragraphs()}) as engine:
        engine.ingest(DocumentInput(TEXT, "dogs"))
    with open_engine(profile, tmp_path, components={"splitter": Paragraphs()}) as engine:
        assert engine.ingest(DocumentInput(TEXT, "dogs"))[0].state == "unchanged"
    with open_engine(profile, tmp_path, components={"splitter": Paragraphs(joint=". ")}) as engine:
        assert engine.stats().stale == 1


def test_a_postprocessor_is_a_stage_of_the_search() -> None:
    plain = {"chunking": {"splitter": "character", "size": 24, "overlap": 0, "unit": "character"}}
    with open_engine({**MEMORY, **plain}, components={"reranker.backwards": Backwards()}) as engine:
        engine.ingest(DocumentInput(TEXT, "dogs"))
        found = engine.search("beagles", top_k=4)
        assert not [hit for hit in found if "Terriers" in hit.content]
        assert [hit.scores["backwards"].rank for hit in found] == [1, 2, 3]
        assert engine.explain("beagles", chunk_id=found[0].chunk_id).found
        assert [run.name for run in found.trace.stages] == ["backwards"]


def test_a_postprocessor_that_fails_is_left_out_and_named() -> None:
    with opened(reranker__broken=Broken()) as engine:
        found = engine.search("beagles")
        assert len(found)
        assert [note.part for note in found.notes] == ["broken"]


def test_an_embedding_model_embeds_chunks_and_questions() -> None:
    with opened(embedding=Letters(model_name="letters"), splitter=Paragraphs()) as engine:
        assert engine.dimensions == 5
        assert "letters" in engine.stats().embedding
        assert engine.search("Collies herd sheep.", mode="dense")[0].content == "Collies herd sheep."


def test_what_an_extractor_finds_is_kept_and_found() -> None:
    with opened(extractors=[Verbs()], splitter=Paragraphs()) as engine:
        first = engine.search("excavating", mode="sparse")[0]
        assert first.content == "Terriers dig."
        assert first.metadata["extracted"] == {"deed": "excavating"}


@pytest.mark.parametrize(
    ("components", "said"),
    [
        ({"spliter": Paragraphs()}, "components -> spliter: unknown component (known are splitter, embedding,"),
        ({"spliter": Paragraphs()}, 'did you mean "splitter"'),
        ({"splitter": Paragraphs}, "splitter: must be a LlamaIndex NodeParser, not the class Paragraphs: call it"),
        ({"reranker.mmr": Backwards()}, '"mmr" is the name of a built-in step'),
        ({"reranker.My One": Backwards()}, "the name must be lower-case letters"),
        ({"extractors": Verbs()}, "must be a list of LlamaIndex extractors, not Verbs"),
        ({"embedding": "bge"}, "must be a LlamaIndex BaseEmbedding, not str"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_by_its_key(components: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidRequest, match=re.escape(said)):
        open_engine(MEMORY, components=components)


def test_the_example_of_the_page_runs() -> None:
    page = (Path(__file__).parents[3] / "docs" / "components.md").read_text()
    [program] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    with names["engine"] as engine:
        assert [result.state for result in engine.ingest(TEXT)] == ["ready"]
