"""Front pages: where a collection of documents says what it is about.

The name of the whole stands on nearly every page, so "What is mypy?" finds any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from qdrant_client import models

from pipelines.filters.facts import FACTS
from pipelines.query.extracts.definitions import Definition
from pipelines.types import Hit

_FOLDERS = ("", "doc/", "doc/source/", "docs/", "docs/source/", "en/", "source/")
_STEMS = ("about", "home", "index", "intro", "introduction", "overview", "readme")
_ENDINGS = ("", ".adoc", ".htm", ".html", ".md", ".mdx", ".rst", ".txt")
_NAMES = tuple(
    f"{folder}{stem}{ending}"
    for folder, written, ending in product(_FOLDERS, _STEMS, _ENDINGS)
    for stem in (written, written.capitalize(), written.upper())
)
_KNOWN = frozenset(_NAMES)
ON_FRONT_PAGES = models.Filter(
    must=[models.FieldCondition(key=f"{FACTS}.source", match=models.MatchAny(any=list(_NAMES)))]
)
"""The chunks of front pages."""


def is_front_page(source: str) -> bool:
    """Return whether a document is one, by its name."""
    return source in _KNOWN


def is_undefined(definition: Definition, hits: Iterable[Hit]) -> bool:
    """Return whether no hit has a sentence that says what the thing is."""
    paragraphs = ((hit, " ".join(paragraph.split())) for hit in hits for paragraph in hit.content.split("\n\n"))
    return not any(definition.stands_in(text, hit.headings[-1] if hit.headings else "") for hit, text in paragraphs)


def on_the_thing(definition: Definition, front: Iterable[Hit], hits: Sequence[Hit]) -> Iterator[Hit]:
    """Yield the hits on front pages that are read besides ``hits``, to say what a thing is.

    Those whose page is called by the thing say it best, whatever others say: "Ebb is a project with little money".
    The rest is of use where no hit says it, if it speaks of the thing.
    """
    known = {hit.chunk_id for hit in hits}
    undefined = is_undefined(definition, hits)
    for hit in front:
        speaks = definition.heading.search(hit.content) is not None
        if hit.chunk_id not in known and (definition.is_of(hit.title) or (undefined and speaks)):
            yield hit
