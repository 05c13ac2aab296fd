"""Adds to a document what a language model reads out of it; no call that fails keeps a document out.

What is extracted is never mixed with what a document says of itself: it stands in the metadata under ``extracted``. The
title is used where the document brings none. Keywords and questions are embedded and indexed for BM25 behind the text
of their chunk (document expansion: Nogueira et al., arXiv 1904.08375, 2019), the summary is not.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from llama_index.core.schema import BaseNode, MetadataMode

from pipelines.catalogue import Extract, ExtractCache, NewVersion
from pipelines.components.circuit_breaker import CircuitBreaker
from pipelines.components.extractors.by_model import CHUNK_KINDS, DOCUMENT_KINDS, ModelExtractor
from pipelines.components.store.chunk_nodes import EXPANSION_KEY, EXTRACTED, index_context
from pipelines.errors import FootnoteError

_log = logging.getLogger(__name__)


class Missing(Counter[str]):
    """How many of each kind could not be had."""

    def __str__(self) -> str:
        listed = ", ".join(f"{kind} ({count})" for kind, count in sorted(self.items()))
        return f"the language model did not give {listed}; the document is stale until `footnote reembed` asks again"


class Enricher:
    """Asks for what the profile's extractors name, once for each text; may be called from several threads.

    Args:
        extractor: Asks the language model.
        cache: Keeps its replies.
        kinds: The extractors of the profile that need it.
        at_once: How many chunks are asked about at the same time.
        context_weight: See `index_context`.
    """

    def __init__(
        self, extractor: ModelExtractor, cache: ExtractCache, kinds: Sequence[str], at_once: int, context_weight: int
    ) -> None:
        self._extractor = extractor
        self._weight = context_weight
        self._cache = cache
        self._of_documents = [kind for kind in DOCUMENT_KINDS if kind in kinds]
        self._of_chunks = [kind for kind in CHUNK_KINDS if kind in kinds]
        self._at_once = at_once
        self._breaker = CircuitBreaker("the language model of the extractors")

    def document(self, new: NewVersion, untitled: bool, missing: Missing) -> NewVersion:
        """``new`` with its summary, and with a title where it is ``untitled``."""
        found: dict[str, Extract] = {}
        for kind in self._of_documents:
            if kind == "title" and not untitled:
                continue
            value = self._value(kind, new.text, new.document_id, missing)
            found |= {kind: value} if value is not None else {}
        title = str(found.get("title", new.title))
        metadata = {key: value for key, value in new.metadata.items() if key != EXTRACTED}
        return replace(new, title=title, metadata=metadata | ({EXTRACTED: found} if found else {}))

    def chunks(self, nodes: Sequence[BaseNode], document_id: str, missing: Missing) -> None:
        """Give every node its keywords and questions."""
        if not self._of_chunks:
            return
        with ThreadPoolExecutor(self._at_once, thread_name_prefix="footnote-extract") as pool:
            for node, found in zip(nodes, pool.map(lambda node: self._of(node, document_id), nodes), strict=True):
                missing.update(kind for kind in self._of_chunks if kind not in found)
                if found:
                    fields = node.metadata["metadata"]
                    node.metadata["metadata"] = fields | {EXTRACTED: {**fields.get(EXTRACTED, {}), **found}}
                    own = node.metadata.get(EXPANSION_KEY)
                    texts = [*([own] if own else []), *(" ".join(items) for items in found.values())]
                    node.metadata[EXPANSION_KEY] = "\n".join(texts)
                    index_context(node, self._weight)

    def _of(self, node: BaseNode, document_id: str) -> dict[str, Extract]:
        text = node.get_content(MetadataMode.NONE)
        lost = Missing()
        values = {kind: self._value(kind, text, document_id, lost) for kind in self._of_chunks}
        return {kind: value for kind, value in values.items() if value is not None}

    def _value(self, kind: str, text: str, document_id: str, missing: Missing) -> Extract | None:
        made_of = hashlib.sha256(f"{kind}\0{self._extractor.fingerprint}\0{text}".encode()).digest()
        key = self._cache.key(made_of, document_id)
        known = self._cache.get([key]).get(key)
        if known is not None:
            return known
        if self._breaker.is_open:
            missing[kind] += 1
            return None
        try:
            value = self._extractor(kind, text)
        except FootnoteError:
            _log.warning("no %s of document %r", kind, document_id, exc_info=True)
            missing[kind] += 1
            self._breaker.record_failure()
            return None
        self._breaker.record_success()
        self._cache.put({key: value}, {key: document_id})
        return value
