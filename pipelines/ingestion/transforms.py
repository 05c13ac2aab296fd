"""LlamaIndex's pipeline and its transformations: place each chunk in its document, and embed it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import BaseNode, TextNode, TransformComponent

from pipelines.catalogue.content_cache import EmbeddingCache, Vector
from pipelines.components.embedding import Embedder, TokenEmbedder
from pipelines.components.extractors.headings import Outline, page_at
from pipelines.components.store.chunk_nodes import EMBEDDED_KEY, PICTURES, give_tokens, index_context, indexed_text
from pipelines.events import CacheAsked, Observe, ignore_event
from pipelines.filters.sections import SECTIONS, sections_of
from pipelines.types import Block, Heading, Page, PlacedPicture, Span, pictures_in, read_pictures, written_pictures

if TYPE_CHECKING:
    from llama_index.core.ingestion import IngestionPipeline


def ingestion_pipeline(*steps: TransformComponent) -> IngestionPipeline:
    """Return a pipeline of these steps that keeps nothing of what it did."""
    # With it come LlamaIndex's stores of documents, indexes and graphs, which questions do without.
    from llama_index.core.ingestion import IngestionPipeline  # noqa: PLC0415

    return IngestionPipeline(transformations=list(steps), disable_cache=True)


class Locate(TransformComponent):
    """Turns the structure of a document into what each of its chunks says of itself.

    Reads ``pages``, ``headings``, ``blocks`` and ``pictures`` of the nodes' metadata, as `structure` writes them, and
    replaces them with the chunk's page, heading path, index, span, pictures and embedded context. BM25 counts the
    context ``context_weight`` times: a weight for the field, as in BM25F (Robertson, Zaragoza and Taylor, CIKM 2004),
    made by repeating it. ``section_fields`` are those that `pipelines.filters.sections` fills from headings.
    """

    with_headings: bool
    embed_title: bool
    embed_headings: bool
    context_weight: int
    section_fields: tuple[str, ...] = ()

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        """The same nodes, placed."""
        for _, group in groupby(nodes, key=lambda node: node.ref_doc_id):
            self._place_all(list(group))
        return nodes

    def _place_all(self, nodes: Sequence[BaseNode]) -> None:
        """Places the chunks of one document, whose structure is built once for all of them."""
        pages = [Page(number, Span(*span), label) for number, span, label in nodes[0].metadata["pages"]]
        outline = Outline([Heading(**heading) for heading in nodes[0].metadata["headings"]])
        pictures = read_pictures(nodes[0].metadata.get(PICTURES, ()))
        for index, node in enumerate(nodes):
            if not isinstance(node, TextNode):
                raise TypeError(f"a splitter made a {type(node).__name__}")
            self._place(node, index, pages, outline)
            node.metadata.pop(PICTURES, None)
            if shown := pictures_in(pictures, Span(node.metadata["start"], node.metadata["end"])):
                node.metadata[PICTURES] = written_pictures(shown)

    def _place(self, node: TextNode, index: int, pages: Sequence[Page], outline: Outline) -> None:
        start, end = node.start_char_idx or 0, node.end_char_idx or 0
        given = node.metadata
        del given["pages"], given["blocks"]
        page = page_at(pages, start)
        path = outline.path_of(start, node.get_content()) if self.with_headings else ()
        given |= {"index": index, "start": start, "end": end, "headings": list(path)}
        if self.section_fields:
            given[SECTIONS] = sections_of([*self._own_sections(given), *outline.under(start, node.get_content())])
        given |= {"page": page.number if page else None, "page_label": page.label if page else None}
        given[EMBEDDED_KEY] = self._context(given["title"], path)
        index_context(node, self.context_weight)

    def _own_sections(self, given: Mapping[str, Any]) -> Iterator[str]:
        """The sections that the document's metadata names for all of its chunks."""
        for name in self.section_fields:
            value = given["metadata"].get(name) or ()
            yield from [value] if isinstance(value, str) else value

    def _context(self, title: str, path: tuple[str, ...]) -> str:
        parts = [title] if self.embed_title and title else []
        if self.embed_headings:
            parts += [heading for heading in path if heading != title]
        return " > ".join(parts)


def structure(
    pages: Sequence[Page],
    headings: Sequence[Heading],
    blocks: Sequence[Block] = (),
    pictures: Sequence[PlacedPicture] = (),
) -> dict[str, Any]:
    """Return a document's pages, headings, blocks and pictures as node metadata, for the splitter and `Locate`."""
    return ({PICTURES: written_pictures(pictures)} if pictures else {}) | {
        "pages": [(page.number, (page.span.start, page.span.end), page.label) for page in pages],
        "headings": [{"level": heading.level, "title": heading.title, "start": heading.start} for heading in headings],
        "blocks": [(block.kind, block.span.start, block.span.end, block.level) for block in blocks],
    }


class Embed(TransformComponent):
    """Gives every node its vector, from the cache where the same text was embedded before.

    Where the vectors of its words are stored too, the model runs for every text, and the cache is left aside.
    """

    _model: Embedder = PrivateAttr()
    _cache: EmbeddingCache | None = PrivateAttr()
    _observe: Observe = PrivateAttr()

    def __init__(self, model: Embedder, cache: EmbeddingCache | None, observe: Observe = ignore_event) -> None:
        super().__init__()
        self._model, self._cache, self._observe = model, cache, observe

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        """The same nodes, embedded."""
        texts = [indexed_text({**node.metadata, "text": node.get_content()}) for node in nodes]
        if isinstance(self._model, TokenEmbedder) and self._model.stored:
            return _with_tokens(self._model, nodes, texts)
        keys = [self._key(node, text) for node, text in zip(nodes, texts, strict=True)]
        known = self._known(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            fresh = dict(zip(missing, self._model.vectors(list(missing.values())), strict=True))
            if self._cache:
                self._cache.put(fresh, self._owners(keys, nodes))
            known |= fresh
        for node, key in zip(nodes, keys, strict=True):
            node.embedding = known[key].tolist()
        return nodes

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        if self._cache is None:
            return {}
        known = self._cache.get(keys)
        hits = sum(key in known for key in keys)
        self._observe(CacheAsked("embedding", hits, len(keys) - hits))
        return known

    @property
    def stores_tokens(self) -> bool:
        """Whether the vectors of words are stored too."""
        return isinstance(self._model, TokenEmbedder) and self._model.stored

    @staticmethod
    def _owners(keys: Sequence[bytes], nodes: Sequence[BaseNode]) -> dict[bytes, str]:
        """Return the document that holds each text; of several the first."""
        owners: dict[bytes, str] = {}
        for key, node in zip(keys, nodes, strict=True):
            owners.setdefault(key, node.metadata["document_id"])
        return owners

    def _key(self, node: BaseNode, text: str) -> bytes:
        made_of = hashlib.sha256(f"{self._model.fingerprint}\0{text}".encode()).digest()
        return made_of if self._cache is None else self._cache.key(made_of, node.metadata["document_id"])


def _with_tokens(model: TokenEmbedder, nodes: Sequence[BaseNode], texts: Sequence[str]) -> Sequence[BaseNode]:
    embedded = model.embedded(texts)
    for node, vector, tokens in zip(nodes, embedded.vectors, embedded.tokens, strict=True):
        node.embedding = vector.tolist()
        give_tokens(node, tokens)
    return nodes
