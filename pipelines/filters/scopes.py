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
from pipelines.profile.found import spoken
from pipelines.profile.levels import Level, Levels, levels_of, scope_flaws
from pipelines.profile.schema import MetadataSection


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
    """The place that ``scope`` names; None for no scope and for an empty one, which hold to nothing.

    Raises:
        InvalidScope: It names none, or could mean several.
    """
    if scope is not None and not isinstance(scope, Mapping):
        raise InvalidScope(Problem("scope", "must be a mapping of the hierarchy's fields to values"))
    if not scope:
        return None
    flaws = [
        Problem(spoken(("scope", *flaw.path)), flaw.message, flaw.suggestion) for flaw in scope_flaws(scope, section)
    ]
    levels = levels_of(section)
    if flaws or levels is None:
        raise InvalidScope(*flaws)
    named = {name: scope[name] for name in levels.path if name in scope}
    return Place(named, levels.depth(scope), levels)


def compile_scope(
    scope: Mapping[str, Any] | None, section: MetadataSection, inherit: bool = True
) -> models.Filter | None:
    """Qdrant's filter for what is seen from ``scope``, or None where no place is named.

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
    return visible_from(place) if inherit else models.Filter(must=[_own(place)])


def visible_from(place: Place) -> models.Filter:
    """What is seen from ``place``: its own level, what it inherits, and what lies below if the profile says so."""
    levels = place.levels.levels
    above = [_at(place, level) for level in levels[: place.depth] if level.field is None or level.field in place.named]
    below = [_at(place, level) for level in levels[place.depth + 1 :]] if place.levels.below else []
    return models.Filter(should=[*above, _own(place), *below])


def writable_from(place: Place) -> models.Filter:
    """What is written from ``place``: its own level, and what lies below if the profile says so.

    Every field that the place names must be on the document: one that lacks it is inherited elsewhere too.
    """
    levels = place.levels.levels
    reached = [place.level, *(levels[place.depth + 1 :] if place.levels.below else ())]
    of_level = [models.Filter(must=[_equals(place.levels.field, level.name)]) for level in reached]
    return models.Filter(must=[_equals(name, value) for name, value in place.named.items()], should=of_level)


def _own(place: Place) -> models.Filter:
    return _at(place, place.level)


def _at(place: Place, level: Level) -> models.Filter:
    """The documents of ``level`` that no field of theirs, above it or its own, puts elsewhere than at ``place``."""
    must: list[models.Condition] = [_equals(place.levels.field, level.name)]
    through = place.level.field  # what lies below the place has its field
    for name in (*level.above, *((level.field,) if level.field else ())):
        if name in place.named:
            certain = name in level.requires or name in (level.field, through)
            must.append((_equals if certain else _equals_or_lacks)(name, place.named[name]))
    return models.Filter(must=must)


def _equals(name: str, value: str) -> models.FieldCondition:
    return models.FieldCondition(key=f"metadata.{name}", match=models.MatchValue(value=value))


def _equals_or_lacks(name: str, value: str) -> models.Filter:
    lacks = models.IsEmptyCondition(is_empty=models.PayloadField(key=f"metadata.{name}"))
    return models.Filter(should=[_equals(name, value), lacks])
