"""Front pages, where a collection of documents says what it is about, and glossaries, where it explains its words.

The name of the whole stands on nearly every page, so "What is mypy?" finds any of them. The same holds for its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from qdrant_client import models

from pipelines.filters.facts import FACTS
from pipelines.query.extracts.language.definitions import Definition
from pipelines.types import Hit

_FOLDERS = ("", "doc/", "doc/source/", "docs/", "docs/source/", "en/", "source/")
_STEMS = ("about", "home", "index", "intro", "introduction", "overview", "readme")
_GLOSSARIES = ("glossary", "terminology", "terms")
_ENDINGS = ("", ".adoc", ".htm", ".html", ".md", ".mdx", ".rst", ".txt")


def _names(stems: Iterable[str]) -> tuple[str, ...]:
    return tuple(
        f"{folder}{stem}{ending}"
        for folder, written, ending in product(_FOLDERS, stems, _ENDINGS)
        for stem in (written, written.capitalize(), written.upper())
    )


_KNOWN = frozenset(_names(_STEMS))
_KNOWN_GLOSSARIES = frozenset(_names(_GLOSSARIES))


def _chunks_of(sources: Iterable[str]) -> models.Filter:
    return models.Filter(
        must=[models.FieldCondition(key=f"{FACTS}.source", match=models.MatchAny(any=sorted(sources)))]
    )


ON_FRONT_PAGES = _chunks_of(_KNOWN | _KNOWN_GLOSSARIES)
"""The chunks of front pages and glossaries."""
IN_GLOSSARIES = _chunks_of(_KNOWN_GLOSSARIES)


def is_front_page(source: str) -> bool:
    """Return whether a document is one, by its name."""
    return source in _KNOWN


def _is_undefined(definition: Definition, hits: Iterable[Hit]) -> bool:
    """Return whether no hit has a sentence that defines the thing."""
    paragraphs = ((hit, " ".join(paragraph.split())) for hit in hits for paragraph in hit.content.split("\n\n"))
    return not any(definition.stands_in(text, hit.headings[-1] if hit.headings else "") for hit, text in paragraphs)


def defining_front_hits(definition: Definition, front: Iterable[Hit], hits: Sequence[Hit]) -> Iterator[Hit]:
    """Yield the front-page hits to read in addition to ``hits`` when a question asks what a thing is.

    A page titled after the thing is always read: a hit may have the form of a definition and be none, as "Ebb is a
    project with little money". Other front pages, and glossaries, are read if no hit defines the thing and they mention
    it.
    """
    known = {hit.chunk_id for hit in hits}
    undefined = _is_undefined(definition, hits)
    for hit in front:
        mentions = definition.heading.search(hit.content) is not None
        if hit.chunk_id not in known and (definition.is_of(hit.title) or (undefined and mentions)):
            yield hit
