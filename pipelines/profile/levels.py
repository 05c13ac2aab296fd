"""The levels of a tenant's hierarchy, and what each requires of documents and scopes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipelines.errors import nearest
from pipelines.profile.issues import ProfileIssue
from pipelines.profile.sections.documents import Hierarchy, MetadataField, MetadataSection


@dataclass(frozen=True, slots=True)
class Level:
    """A level: its name, its own field (None for the top level), and the fields that its documents must have.

    ``above`` are the fields of the levels between the top and this one, from the top down.
    """

    name: str
    field: str | None
    above: tuple[str, ...]
    requires: tuple[str, ...]

    @property
    def anchors(self) -> tuple[str, ...]:
        """The fields of the path that together identify a place of this level."""
        path = (*self.above, *((self.field,) if self.field else ()))
        return tuple(name for name in path if name in self.requires)


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels from the top down, and the field that names a document's level."""

    field: str
    levels: tuple[Level, ...]
    path: tuple[str, ...]
    below: bool

    def of(self, metadata: Mapping[str, Any]) -> Level | None:
        """Return the level of a document with this metadata."""
        return self.named(metadata.get(self.field))

    def named(self, name: object) -> Level | None:
        """Return the level of that name."""
        return next((level for level in self.levels if level.name == name), None)

    def depth(self, scope: Mapping[str, Any]) -> int:
        """Return the number of the level at which a scope ends; the top is 0."""
        return max((number for number, name in enumerate(self.path, 1) if name in scope), default=0)


def levels_of(section: MetadataSection) -> Levels | None:
    """Return the levels that a profile declares; None if it declares none."""
    hierarchy = section.hierarchy
    if hierarchy is None:
        return None
    names = section.fields[hierarchy.level].values or ()
    levels = tuple(_level(hierarchy, number, name) for number, name in enumerate(names))
    return Levels(hierarchy.level, levels, hierarchy.path, hierarchy.below)


def _level(hierarchy: Hierarchy, number: int, name: str) -> Level:
    path = hierarchy.path[:number]
    own = path[-1] if path else None
    # The lowest level (a customer, an entity) is usually the same one wherever it occurs.
    usual = path if number < len(hierarchy.path) else path[-1:]
    return Level(name, own, path[:-1], hierarchy.requires.get(name, usual))


def scope_flaws(scope: Mapping[str, Any], section: MetadataSection) -> Iterator[ProfileIssue]:
    """Yield why ``scope`` names no place of the hierarchy. Paths begin at the scope."""
    levels = levels_of(section)
    if levels is None:
        if scope:
            yield ProfileIssue((), "needs metadata -> hierarchy, which says how fields nest")
        return
    known = (*levels.path, levels.field)
    for name, value in scope.items():
        if name not in known:
            yield ProfileIssue((name,), "is not in metadata -> hierarchy -> path", nearest(str(name), known))
        elif flaw := _value_flaw(name, value, section.fields[name]):
            yield ProfileIssue((name,), *flaw)
    yield from _place_flaws(scope, levels)


def _value_flaw(name: str, value: Any, field: MetadataField) -> tuple[str, str | None] | None:
    if not isinstance(value, str) or not value.strip():
        return "must be text that is not empty; leave the key out instead", None
    if field.values and value not in field.values:
        return f"is not among the values of {name}", nearest(value, field.values)
    return None


def _place_flaws(scope: Mapping[str, Any], levels: Levels) -> Iterator[ProfileIssue]:
    """Yield an ambiguous place, or one that is not of the level it names."""
    for level in levels.levels:
        missing = [name for name in level.anchors if name not in scope] if level.field in scope else []
        if missing:
            problem = f"identifies a {level.name} only together with {' and '.join(missing)}, which is missing"
            yield ProfileIssue((level.field or "",), problem)
    ends = levels.levels[levels.depth(scope)]
    if levels.field in scope and levels.named(scope[levels.field]) not in (None, ends):
        problem = f'is "{scope[levels.field]}", but the given fields end at the level {ends.name}'
        yield ProfileIssue((levels.field,), f"{problem}; leave it out, or give the fields of that level")
