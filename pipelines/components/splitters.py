"""Node parsers that cut a document into chunks and know exactly where each chunk stands in the text.

LlamaIndex's own parsers find a chunk's place afterwards by searching for its text, which is wrong where text repeats; a
citation needs the truth. Here one window slides over the text: it ends at the last sentence that fits, and the next
one begins at a sentence (or word) within the overlap.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.node_parser import NodeParser
from llama_index.core.schema import BaseNode, Document, NodeRelationship, TextNode

from pipelines.components.sentences import sentence_spans
from pipelines.profile.schema import Chunking
from pipelines.types import Span

TokenSpans = Callable[[str], npt.NDArray[np.integer[Any]]]
_WORD_START = re.compile(r"(?<=\s)\S")
_LEAST_FILL = 0.5
_MOST_CHARACTERS_OF_A_TOKEN = 16  # tokenizers take any endless word (base64, say) for one unknown token


class Measure(Protocol):
    """Lengths of a text in some unit, as positions: both methods take and give character offsets."""

    def forward(self, position: int, amount: int) -> int:
        """The furthest position that lies at most ``amount`` units behind ``position``."""
        ...

    def back(self, position: int, amount: int) -> int:
        """The position ``amount`` units before ``position``."""
        ...


class CharacterMeasure:
    """Counts Unicode characters."""

    def __init__(self, text: str) -> None:
        self._length = len(text)

    def forward(self, position: int, amount: int) -> int:
        """See `Measure`."""
        return min(position + amount, self._length)

    def back(self, position: int, amount: int) -> int:
        """See `Measure`."""
        return max(position - amount, 0)


class TokenMeasure:
    """Counts tokens, given their spans ``(n, 2)`` in the text."""

    def __init__(self, text: str, spans: npt.NDArray[np.integer[Any]]) -> None:
        self._starts: list[int] = spans[:, 0].tolist()
        self._length = len(text)

    def forward(self, position: int, amount: int) -> int:
        """See `Measure`."""
        index = bisect_left(self._starts, position) + amount
        stop = self._starts[index] if index < len(self._starts) else self._length
        return min(stop, position + amount * _MOST_CHARACTERS_OF_A_TOKEN)

    def back(self, position: int, amount: int) -> int:
        """See `Measure`."""
        index = bisect_left(self._starts, position) - amount
        return self._starts[index] if index > 0 else 0


def build_splitter(section: Chunking, token_spans: TokenSpans) -> SpanSplitter:
    """The splitter that the profile asks for; ``token_spans`` is the embedding model's tokenizer."""
    in_characters = section.splitter == "character" or section.unit == "character"
    return SpanSplitter(
        size=section.size,
        overlap=section.overlap,
        measure=CharacterMeasure if in_characters else lambda text: TokenMeasure(text, token_spans(text)),
        whole_sentences=section.splitter != "character",
        at_headings=section.splitter == "markdown",
    )


class SpanSplitter(NodeParser):
    """Cuts documents into nodes whose ``start_char_idx`` and ``end_char_idx`` are exact.

    A document's ``metadata["headings"]`` (pairs of a title's level and its offset in the text, under ``start``) tells
    where ``at_headings`` must cut.

    Args:
        size: Most units in a chunk.
        overlap: Most units that neighbours share.
        measure: Makes the measure of a text.
        whole_sentences: Neighbours share whole sentences only; otherwise words, close to ``overlap``.
        at_headings: No chunk crosses a heading.
    """

    include_prev_next_rel: bool = False
    _size: int = PrivateAttr()
    _overlap: int = PrivateAttr()
    _measure: Callable[[str], Measure] = PrivateAttr()
    _whole_sentences: bool = PrivateAttr()
    _at_headings: bool = PrivateAttr()

    def __init__(
        self,
        *,
        size: int,
        overlap: int,
        measure: Callable[[str], Measure],
        whole_sentences: bool = True,
        at_headings: bool = False,
    ) -> None:
        super().__init__()
        self._size, self._overlap, self._measure = size, overlap, measure
        self._whole_sentences, self._at_headings = whole_sentences, at_headings

    @classmethod
    def class_name(cls) -> str:
        """LlamaIndex's name of this component."""
        return "SpanSplitter"

    def spans(self, text: str, heading_starts: Sequence[int] = ()) -> list[Span]:
        """Where the chunks of ``text`` stand, in order, without surrounding white space."""
        measure = self._measure(text)
        cuts = _section_starts(text, heading_starts) if self._at_headings else [0]
        return [
            span
            for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True)
            for span in self._windows(text, start, end, measure)
        ]

    def _windows(self, text: str, start: int, end: int, measure: Measure) -> Iterator[Span]:
        sentences = [first for first, _ in sentence_spans(text, start, end)]
        while start < end:
            stop = self._stop(text, start, end, measure, sentences)
            span = _trimmed(text, start, stop)
            if span.start < span.end:
                yield span
            if stop >= end:
                return
            start = self._next_start(text, start, stop, measure, sentences)

    def _stop(self, text: str, start: int, end: int, measure: Measure, sentences: list[int]) -> int:
        """Where a window from ``start`` ends: at the last sentence that fits, else at a word, else anywhere."""
        limit = measure.forward(start, self._size)
        if limit >= end:
            return end
        least = measure.forward(start, int(self._size * _LEAST_FILL))
        index = bisect_right(sentences, limit) - 1
        if index >= 0 and sentences[index] > least:
            return sentences[index]
        return _word_start_before(text, least, limit) or max(limit, start + 1)

    def _next_start(self, text: str, start: int, stop: int, measure: Measure, sentences: list[int]) -> int:
        """Where the next window begins: inside the overlap, but always further than the last one began."""
        earliest = max(measure.back(stop, self._overlap), start + 1)
        if not self._overlap or earliest >= stop:
            return stop
        if self._whole_sentences:
            index = bisect_left(sentences, earliest)
            return sentences[index] if index < len(sentences) and sentences[index] < stop else stop
        match = _WORD_START.search(text, earliest, stop)
        return match.start() if match else earliest

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        return [node for document in nodes for node in self._cut(document)]

    def _cut(self, document: BaseNode) -> Iterator[TextNode]:
        text = document.get_content()
        headings = [heading["start"] for heading in document.metadata.get("headings", ())]
        source = document.as_related_node_info()  # once: it hashes the whole document
        for span in self.spans(text, headings):
            yield TextNode(
                text=text[span.start : span.end],
                start_char_idx=span.start,
                end_char_idx=span.end,
                metadata=dict(document.metadata),
                relationships={NodeRelationship.SOURCE: source},
            )

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]) -> list[BaseNode]:
        """Keeps the spans as they were cut: the base class would search for each chunk's text and overwrite them."""
        return nodes


def _section_starts(text: str, heading_starts: Sequence[int]) -> list[int]:
    """Where sections begin; a heading with nothing below it stays with the section that follows."""
    starts, lines, prose = [0], 0, False
    own = 1 if 0 in heading_starts else 0  # lines of the section that are its heading
    for previous, start in pairwise(sorted({0, *heading_starts})):
        found = [line for line in text[previous:start].splitlines() if line.strip()]
        lines += len(found)
        prose = prose or any(not line.startswith("#") for line in found)
        if prose and lines > own:
            starts.append(start)
            lines, prose, own = 0, False, 1
    return starts


def _word_start_before(text: str, least: int, limit: int) -> int | None:
    for position in range(limit, least, -1):
        if text[position - 1].isspace():
            return position
    return None


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)
