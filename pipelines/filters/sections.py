"""Sections: the headings that a chunk stands under, in the form in which they are stored, filtered and weighed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pipelines.filters.facts import FACTS
from pipelines.profile.sections.documents import BuiltInField, MetadataField

SECTIONS = "sections"
"""Where a chunk's payload keeps its sections."""
_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*[.):]?|[ivxlc]+[.)])\s+")


def plain_heading(heading: str) -> str:
    """Return a heading without letter case, numbering and closing punctuation: "2. Results:" is "results"."""
    words = " ".join(heading.casefold().split())
    return _NUMBERING.sub("", words).rstrip(" .:")


def sections_of(headings: Iterable[str]) -> list[str]:
    """Return what is stored of headings, in their order."""
    return list(dict.fromkeys(filter(None, map(plain_heading, headings))))


def section_fields(fields: Mapping[str, MetadataField]) -> tuple[str, ...]:
    """Return the declared fields that chunks have from their headings."""
    return tuple(name for name, field in fields.items() if field.source == "headings")


def stored_at(name: str, field: MetadataField) -> str:
    """Return where a chunk's payload has the values of a declared field."""
    if isinstance(field, BuiltInField):
        return f"{FACTS}.{name}"
    return SECTIONS if field.source == "headings" else f"metadata.{name}"
