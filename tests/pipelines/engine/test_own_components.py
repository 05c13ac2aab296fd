"""LlamaIndex components of the caller's own in the place of the profile's."""

import re
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.extractors import BaseExtractor
from llama_index.core.llms import CustomLLM
from llama_index.core.node_parser import HierarchicalNodeParser, SentenceSplitter, TextSplitter
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle
from pydantic import Field

from pipelines.engine import Engine, open_engine
from pipelines.errors import InvalidRequest, LlmTimeout
from pipelines.types import DocumentInput, SourcesFound, TextWritten

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


def opened(said: Mapping[str, Any] | None = None, **components: Any) -> Engine:
    profile = {**MEMORY, **(said or {})}
    engine = open_engine(profile, components={key.replace("__", "."): value for key, value in components.items()})
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


def test_other_parser_settings_split_documents_again(tmp_path: Any) -> None:
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


def test_extracted_values_are_stored_and_searchable() -> None:
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
        ({"llm": "llama"}, "must be a LlamaIndex LLM, not str"),
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


class Clerk(CustomLLM):
    """Says what it was made to say, piece by piece, and remembers its prompts."""

    reply: str = "Beagles hunt hares [1]."
    pause_s: float = 0.0
    prompts: list[str] = Field(default_factory=list)

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="clerk", context_window=4096, num_output=200)

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=self.reply)

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponseGen:
        self.prompts.append(prompt)
        said = ""
        for word in re.findall(r"\S+\s*", self.reply):
            time.sleep(self.pause_s)
            said += word
            yield CompletionResponse(text=said, delta=word)


class Deaf(Clerk):
    """Fails."""

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponseGen:
        raise ConnectionError("key sk-123 refused")


class Whole(Clerk):
    """Cannot stream."""

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponseGen:
        raise NotImplementedError


def test_a_language_model_writes_with_our_prompt_citations_and_verdicts() -> None:
    clerk = Clerk(reply="Beagles hunt hares [1]. Beagles weigh 900 kilograms [1].")
    with opened(llm=clerk, splitter=Paragraphs()) as engine:
        answer = engine.answer("What do beagles hunt?")
        assert answer.text == "Beagles hunt hares [1]."
        assert (answer.model, answer.llm_generated, answer.degraded) == ("clerk", True, False)
        assert answer.citations[0].quote == "Beagles hunt hares."
        assert [claim.verdict for claim in answer.claims] == ["supported", "unsupported"]
        assert "What do beagles hunt?" in clerk.prompts[0]
        assert "Collies herd sheep." in clerk.prompts[0]
        assert engine.llm is not None
        assert engine.llm.metadata.model_name == "clerk"
        events = list(engine.stream_answer("What do beagles hunt?"))
        written = "".join(event.text for event in events if isinstance(event, TextWritten))
        assert written.strip() == answer.text


def test_a_language_model_without_streams_answers_too() -> None:
    with opened(llm=Whole(), splitter=Paragraphs()) as engine:
        assert engine.answer("What do beagles hunt?").text == "Beagles hunt hares [1]."


def test_a_language_model_that_fails_leaves_the_extract(caplog: pytest.LogCaptureFixture) -> None:
    with opened(llm=Deaf(), splitter=Paragraphs()) as engine:
        answer = engine.answer("What do beagles hunt?")
    assert (answer.text, answer.degraded) == ("Beagles hunt hares. [1]", True)
    assert "own, clerk" in caplog.text
    assert "sk-123" not in answer.text


def test_the_limits_of_the_profile_hold_for_a_language_model() -> None:
    limits = {"provider": "ollama", "model": "m", "timeouts": {"call_s": 0.3}, "fallback": "error", "max_tokens": 20}
    slow = Clerk(pause_s=0.2, reply="Beagles hunt hares and foxes and then sleep [1].")
    with opened({"llm": limits}, llm=slow, splitter=Paragraphs()) as engine, pytest.raises(LlmTimeout):
        engine.answer("What do beagles hunt?")


def test_a_stream_that_is_closed_stops_a_language_model() -> None:
    endless = Clerk(pause_s=0.02, reply="Beagles hunt hares [1]. " * 1000)
    with opened(llm=endless, splitter=Paragraphs()) as engine:
        events = engine.stream_answer("What do beagles hunt?")
        next(event for event in events if isinstance(event, SourcesFound))
        events.close()
        [reader] = [one for one in threading.enumerate() if one.name == "footnote-llm"] or [None]
        if reader is not None:
            reader.join(30)
            assert not reader.is_alive()
