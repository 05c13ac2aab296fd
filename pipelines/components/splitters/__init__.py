"""Splitters, by the profile: all are one window over the text, within sections or levels of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.components.splitters.measures import CharacterMeasure, TokenMeasure
from pipelines.components.splitters.sections import Sections, at_headings, whole_text
from pipelines.components.splitters.spans import SpanSplitter
from pipelines.components.splitters.topics import TopicChanges, Vectors
from pipelines.profile.sections.chunking import Chunking

__all__ = ["Vectors", "build_splitter"]

TokenSpans = Callable[[str], npt.NDArray[np.integer[Any]]]
_LEAST_TOPIC = 0.25
"""Share of a chunk's size that a topic must have to be cut off from its neighbours."""


def build_splitter(section: Chunking, token_spans: TokenSpans, vectors: Vectors) -> SpanSplitter:
    """Return the splitter that the profile asks for.

    Args:
        section: What the profile says.
        token_spans: The embedding model's tokenizer, which measures.
        vectors: The embedding model, which tells topics apart.
    """
    in_characters = section.splitter == "character" or section.unit == "character"
    return SpanSplitter(
        sizes=section.sizes,
        overlap=section.overlap,
        measure=CharacterMeasure if in_characters else lambda text: TokenMeasure(text, token_spans(text)),
        sections=_sections(section, vectors),
        fill=section.fill,
        whole_sentences=section.splitter != "character",
        some_words=in_characters,  # of tokens an overlap has room for a sentence
    )


def _sections(section: Chunking, vectors: Vectors) -> Sections:
    if section.splitter == "markdown":
        return at_headings
    if section.splitter == "semantic":
        return TopicChanges(vectors, section.percentile, int(section.size * _LEAST_TOPIC))
    return whole_text
