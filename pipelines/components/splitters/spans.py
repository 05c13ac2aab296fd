"""Node parsers that cut a document into chunks and know exactly where each chunk stands in the text.

LlamaIndex's own parsers find a chunk's place afterwards by searching for its text, which is wrong where text repeats; a
citation needs the truth. Here a window slides over the text: it ends between blocks or at the last sentence that fits,
and the next one begins at a sentence (or word) within the overlap.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.node_parser import NodeParser
from llama_index.core.schema import BaseNode, Document, NodeRelationship, TextNode

from pipelines.components.splitters.breaks import Breaks, LeadIns, breaks_of
from pipelines.components.splitters.measures import Measure
from pipelines.components.splitters.sections import Sections, whole_text
from pipelines.components.store.chunk_nodes import LEAD_IN_KEY
from pipelines.types import Block, Span

_MOST_LEAD_IN = 400  # characters
_WORD_START = re.compile(r"(?<=\s)\S")
_STRAY = 0.2  # of the overlap: how far from it the next chunk may begin, so that it begins with a word


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk's span, and the spans of the larger pieces that it was cut from, the innermost first."""

    span: Span
    parents: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class _Measured:
    """A text, its blocks, and its measure."""

    text: str
    blocks: Sequence[Block]
    measure: Measure


class SpanSplitter(NodeParser):
    """Cuts documents into nodes whose ``start_char_idx`` and ``end_char_idx`` are exact.

    A document's ``metadata["headings"]`` (a title's level and its offset in the text, under ``start``) tells where its
    headings are, and ``metadata["blocks"]`` its blocks, as `to_block` reads them. With several ``sizes`` a node's
    ``metadata["parents"]`` holds the spans of its parents.

    Args:
        sizes: Most units in a piece of each level, the largest first; the pieces of the last level are the chunks. The
            pieces of the others share nothing, so that each chunk stands in one of each.
        overlap: Most units that neighbouring chunks share.
        measure: Makes the measure of a text.
        sections: Finds the sections that no piece crosses.
        fill: Share of its size that a chunk must have to end at a sentence; otherwise it ends at a word.
        whole_sentences: Neighbours share whole sentences, and words only where a sentence is cut; otherwise words,
            within a fifth of ``overlap``.
        some_words: With ``whole_sentences``: neighbours share words where no sentence fits into ``overlap``.
    """

    include_prev_next_rel: bool = False
    _sizes: Sequence[int] = PrivateAttr()
    _overlap: int = PrivateAttr()
    _measure: Callable[[str], Measure] = PrivateAttr()
    _sections: Sections = PrivateAttr()
    _fill: float = PrivateAttr()
    _whole_sentences: bool = PrivateAttr()
    _some_words: bool = PrivateAttr()

    def __init__(
        self,
        *,
        sizes: Sequence[int],
        overlap: int,
        measure: Callable[[str], Measure],
        sections: Sections = whole_text,
        fill: float = 0.5,
        whole_sentences: bool = True,
        some_words: bool = False,
    ) -> None:
        super().__init__()
        self._sizes, self._overlap, self._measure = sizes, overlap, measure
        self._sections, self._fill = sections, fill
        self._whole_sentences, self._some_words = whole_sentences, some_words

    @classmethod
    def class_name(cls) -> str:
        """LlamaIndex's name of this component."""
        return "SpanSplitter"

    def pieces(self, text: str, headings: Sequence[int] = (), blocks: Sequence[Block] = ()) -> list[Piece]:
        """Return the chunks of ``text``, in order, without surrounding white space; ``headings`` are offsets in it."""
        measured = _Measured(text, blocks, self._measure(text))
        starts = self._sections(text, headings, measured.measure)
        return [
            piece
            for start, end in zip(starts, [*starts[1:], len(text)], strict=True)
            for piece in self._level(measured, Span(start, end), ())
        ]

    def _level(self, measured: _Measured, within: Span, parents: tuple[Span, ...]) -> Iterator[Piece]:
        *above, size = self._sizes
        if len(parents) == len(above):
            larger = dict.fromkeys(parents)  # a level that is no larger than the next one says nothing
            for span in self._windows(measured, within, size, self._overlap):
                yield Piece(span, tuple(parent for parent in larger if parent != span))
            return
        for span in self._windows(measured, within, above[len(parents)], 0):
            yield from self._level(measured, span, (span, *parents))

    def _windows(self, measured: _Measured, within: Span, size: int, overlap: int) -> Iterator[Span]:
        text, measure = measured.text, measured.measure
        start, end = within.start, within.end
        done = start
        breaks = breaks_of(text, within, measured.blocks)
        while start < end:
            least = measure.forward(start, int(size * self._fill))
            stop = _stop(text, Span(start, end), least, measure.forward(start, size), breaks)
            span = _trimmed(text, start, stop)
            if span.start < span.end and span.end > done:  # otherwise it is all in the one before
                yield span
                done = span.end
            if stop >= end:
                return
            if not overlap:
                start = stop
            elif self._whole_sentences:
                earliest = max(measure.back(stop, overlap), start + 1)
                start = _sentence_from(text, earliest, stop, breaks.anywhere)
                if start == stop and self._some_words:
                    start = _word_from(text, earliest, stop)
            else:
                start = max(_word_around(text, span.end, measure, overlap), start + 1)

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        return [node for document in nodes for node in self._cut(document)]

    def _cut(self, document: BaseNode) -> Iterator[TextNode]:
        text = document.get_content()
        headings = [heading["start"] for heading in document.metadata.get("headings", ())]
        source = document.as_related_node_info()  # once: it hashes the whole document
        blocks = [to_block(written) for written in document.metadata.get("blocks", ())]
        lead_ins = LeadIns(blocks)
        for piece in self.pieces(text, headings, blocks):
            span = piece.span
            parents = {"parents": [(parent.start, parent.end) for parent in piece.parents]} if piece.parents else {}
            lead_in = {LEAD_IN_KEY: lead_in_text} if (lead_in_text := _lead_in(text, lead_ins.into(span.start))) else {}
            yield TextNode(
                text=text[span.start : span.end],
                start_char_idx=span.start,
                end_char_idx=span.end,
                metadata={**document.metadata, **parents, **lead_in},
                relationships={NodeRelationship.SOURCE: source},
            )

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]) -> list[BaseNode]:
        """Keep the spans as they were cut: the base class would search for each chunk's text and overwrite them."""
        return nodes


def _lead_in(text: str, block: Block | None) -> str:
    """Return what a header of a table, or the lead-in of a list, says to a chunk that goes on with it."""
    return "" if block is None else text[block.span.start : block.span.end][-_MOST_LEAD_IN:]


def to_block(written: Sequence[Any]) -> Block:
    """Return a block as the metadata of a node keeps it: its kind, start, end and level."""
    kind, start, end, level = written
    return Block(kind, Span(start, end), level)


def _stop(text: str, left: Span, least: int, limit: int, breaks: Breaks) -> int:
    """Return where a window ends that begins with ``left``: at the last good break that fits, else at a word, or
    anywhere.
    """
    if limit >= left.end:
        return left.end
    for starts in (breaks.between_groups, breaks.between_blocks, breaks.anywhere):
        index = bisect_right(starts, limit) - 1
        if index >= 0 and starts[index] > least:
            return starts[index]
    return _word_start_before(text, least, limit) or max(limit, left.start + 1)


def _sentence_from(text: str, earliest: int, end: int, sentences: list[int]) -> int:
    """Return the first sentence that begins at ``earliest`` or later, or ``end``; where that is amid a sentence, a
    word.
    """
    index = bisect_left(sentences, earliest)
    if index < len(sentences) and sentences[index] <= end:
        return sentences[index]
    return _word_from(text, earliest, end)


def _word_from(text: str, earliest: int, end: int) -> int:
    """Return where the first word begins behind ``earliest``, or ``end``."""
    word = _WORD_START.search(text, earliest, end)
    return word.start() if word else end


def _word_around(text: str, end: int, measure: Measure, overlap: int) -> int:
    """Return the beginning of a word nearest to ``overlap`` units before ``end``; that place itself where no word is
    near.
    """
    wanted = measure.back(end, overlap)
    first, last = measure.back(end, int(overlap * (1 + _STRAY))), measure.back(end, int(overlap * (1 - _STRAY)))
    starts = [match.start() for match in _WORD_START.finditer(text, max(first, 1), last + 1)]
    return min(starts, key=lambda start: abs(start - wanted), default=wanted)


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
