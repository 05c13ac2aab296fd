"""Scopes: a place in the tenant's hierarchy, and the documents that are seen and written from there.

``{"suite": "fedsuite", "entity_id": "acme"}`` names a place by the fields of the hierarchy's path. From there one sees
the top level, the level of every field that is named, at the value that is named, and nothing of a sibling. The result
is Qdrant's filter, so that both legs filter in the index; `docs/scopes.md` has the algebra.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qdrant_client import models

from pipelines.errors import InvalidScope, Problem
from pipelines.profile.issues import format_path
from pipelines.profile.levels import Level, Levels, levels_of, scope_flaws
from pipelines.profile.sections.documents import MetadataSection
from pipelines.types import Metadata


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the hierarchy: the values of the fields that name it, and the number of the level where they end."""

    named: Mapping[str, str]
    depth: int
    levels: Levels

    @property
    def level(self) -> Level:
        """The level that it is of."""
        return self.levels.levels[self.depth]

    def __str__(self) -> str:
        spelt = ", ".join(f'{name} "{value}"' for name, value in self.named.items())
        return f"level {self.level.name}" + (f" ({spelt})" if spelt else "")


def place_of(scope: Mapping[str, Any] | None, section: MetadataSection) -> Place | None:
    """Return the place that ``scope`` names; None for no scope and for an empty one, which hold to nothing.

    Raises:
        InvalidScope: It names none, or could mean several.
    """
    if scope is not None and not isinstance(scope, Mapping):
        raise InvalidScope(Problem("scope", "must be a mapping of the hierarchy's fields to values"))
    if not scope:
        return None
    flaws = [
        Problem(format_path(("scope", *flaw.path)), flaw.message, flaw.suggestion)
        for flaw in scope_flaws(scope, section)
    ]
    levels = levels_of(section)
    if flaws or levels is None:
        raise InvalidScope(*flaws)
    named = {name: scope[name] for name in levels.path if name in scope}
    return Place(named, levels.depth(scope), levels)


@dataclass(frozen=True, slots=True)
class Term:
    """A field has the value, or, where it ``may_lack`` it, none."""

    field: str
    value: str
    may_lack: bool = False

    def condition(self) -> models.Condition:
        """Qdrant's condition."""
        key = f"metadata.{self.field}"
        has = models.FieldCondition(key=key, match=models.MatchValue(value=self.value))
        if not self.may_lack:
            return has
        return models.Filter(should=[has, models.IsEmptyCondition(is_empty=models.PayloadField(key=key))])

    def holds(self, metadata: Metadata) -> bool:
        """Return whether it holds for a document, as it would in the index."""
        found = metadata.get(self.field)
        if isinstance(found, list):  # of an earlier profile
            return self.value in found or (self.may_lack and not found)
        return found == self.value or (self.may_lack and found is None)


@dataclass(frozen=True, slots=True)
class View:
    """Some of the documents: those for which all terms of one of the alternatives hold."""

    alternatives: tuple[tuple[Term, ...], ...]

    @property
    def filter(self) -> models.Filter:
        """The view as a filter of the index."""
        return models.Filter(
            should=[models.Filter(must=[term.condition() for term in terms]) for terms in self.alternatives]
        )

    def shows(self, metadata: Metadata) -> bool:
        """Return whether a document is among them, as the index would say; far quicker than asking the filter."""
        return any(all(term.holds(metadata) for term in terms) for terms in self.alternatives)


def view_from(scope: Mapping[str, Any] | None, section: MetadataSection, inherit: bool = True) -> View | None:
    """Return what is seen from ``scope``, or None where no place is named.

    Args:
        scope: Values of fields of the hierarchy's path.
        section: The profile's metadata.
        inherit: Also the levels above the place, and those below it if the profile says so; else its own alone.

    Raises:
        InvalidScope: It names no place, could mean several, or is missing although ``inherit`` is False.
    """
    place = place_of(scope, section)
    if place is None:
        if not inherit:
            raise InvalidScope(Problem("inherit", "is for scopes: say which place's own documents are meant"))
        return None
    return visible_from(place) if inherit else View((_terms(place, place.level),))


def visible_from(place: Place) -> View:
    """Return what is seen from ``place``: its own level, what it inherits, and what lies below if the profile says
    so.
    """
    levels = place.levels.levels
    above = [level for level in levels[: place.depth] if level.field is None or level.field in place.named]
    return View(tuple(_terms(place, level) for level in (*above, *_reached(place))))


def writable_from(place: Place) -> View:
    """Return what is written from ``place``: its own level, and what lies below if the profile says so.

    Every field that the place names must be on the document: one that lacks it is inherited elsewhere too.
    """
    named = tuple(Term(name, value) for name, value in place.named.items())
    return View(tuple((Term(place.levels.field, level.name), *named) for level in _reached(place)))


def _reached(place: Place) -> tuple[Level, ...]:
    levels = place.levels.levels
    return (place.level, *(levels[place.depth + 1 :] if place.levels.below else ()))


def _terms(place: Place, level: Level) -> tuple[Term, ...]:
    """Return the documents of ``level`` that no field of theirs, above it or its own, puts elsewhere than at
    ``place``.
    """
    own = (*level.above, *((level.field,) if level.field else ()))
    certain = {*level.requires, level.field, place.level.field}  # what lies below the place has its field
    placed = (Term(name, place.named[name], name not in certain) for name in own if name in place.named)
    return (Term(place.levels.field, level.name), *placed)
