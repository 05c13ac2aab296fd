"""Front pages: where a collection of documents says what it is about.

The name of the whole stands on nearly every page, so "What is mypy?" finds any of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from qdrant_client import models

from pipelines.filters.facts import FACTS
from pipelines.query.extracts.definitions import Definition, definition_of_any
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


def undefined(question: str, hits: Iterable[Hit]) -> Definition | None:
    """Return what a definition looks like, if it is asked what a thing is and no hit has a sentence that says it."""
    definition = definition_of_any(question)
    if definition is None:
        return None
    paragraphs = ((hit, " ".join(paragraph.split())) for hit in hits for paragraph in hit.content.split("\n\n"))
    is_said = any(definition.stands_in(text, hit.headings[-1] if hit.headings else "") for hit, text in paragraphs)
    return None if is_said else definition
