"""The levels of a tenant's hierarchy: what each asks of a document, and of a scope that names it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipelines.errors import nearest
from pipelines.profile.found import Found
from pipelines.profile.schema import Hierarchy, MetadataField, MetadataSection


@dataclass(frozen=True, slots=True)
class Level:
    """A level: its name, its own field (None: it is the top one), and what a document of it must have.

    ``above`` are the fields of the levels between it and the top one, from the top down.
    """

    name: str
    field: str | None
    above: tuple[str, ...]
    requires: tuple[str, ...]

    @property
    def anchors(self) -> tuple[str, ...]:
        """The fields of the path that together tell one place of this level from another."""
        path = (*self.above, *((self.field,) if self.field else ()))
        return tuple(name for name in path if name in self.requires)


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels, the top one first, and the field that names a document's."""

    field: str
    levels: tuple[Level, ...]
    path: tuple[str, ...]
    below: bool

    def of(self, metadata: Mapping[str, Any]) -> Level | None:
        """The level that a document says it is of."""
        return self.named(metadata.get(self.field))

    def named(self, name: object) -> Level | None:
        """The level of that name."""
        return next((level for level in self.levels if level.name == name), None)

    def depth(self, scope: Mapping[str, Any]) -> int:
        """The number, from the top one's 0, of the level at which a scope ends."""
        return max((number for number, name in enumerate(self.path, 1) if name in scope), default=0)


def levels_of(section: MetadataSection) -> Levels | None:
    """The levels that a profile declares, if it declares any."""
    hierarchy = section.hierarchy
    if hierarchy is None:
        return None
    names = section.fields[hierarchy.level].values or ()
    levels = tuple(_level(hierarchy, number, name) for number, name in enumerate(names))
    return Levels(hierarchy.level, levels, hierarchy.path, hierarchy.below)


def _level(hierarchy: Hierarchy, number: int, name: str) -> Level:
    path = hierarchy.path[:number]
    own = path[-1] if path else None
    # What stands lowest (a customer, an entity) is mostly one and the same wherever it stands.
    usual = path if number < len(hierarchy.path) else path[-1:]
    return Level(name, own, path[:-1], hierarchy.requires.get(name, usual))


def scope_flaws(scope: Mapping[str, Any], section: MetadataSection) -> Iterator[Found]:
    """Why ``scope`` names no place of the hierarchy; nothing if it does. Paths begin at the scope."""
    levels = levels_of(section)
    if levels is None:
        if scope:
            yield Found((), "needs metadata -> hierarchy, which says how fields nest")
        return
    known = (*levels.path, levels.field)
    for name, value in scope.items():
        if name not in known:
            yield Found((name,), "is not in metadata -> hierarchy -> path", nearest(str(name), known))
        elif flaw := _value_flaw(name, value, section.fields[name]):
            yield Found((name,), *flaw)
    yield from _place_flaws(scope, levels)


def _value_flaw(name: str, value: Any, field: MetadataField) -> tuple[str, str | None] | None:
    if not isinstance(value, str) or not value.strip():
        return "must be text that is not empty; to name no place by it, leave it out", None
    if field.values and value not in field.values:
        return f"is not among the values of {name}", nearest(value, field.values)
    return None


def _place_flaws(scope: Mapping[str, Any], levels: Levels) -> Iterator[Found]:
    """A place that could be several, for want of what tells them apart; or that is not of the level it says."""
    for level in levels.levels:
        missing = [name for name in level.anchors if name not in scope] if level.field in scope else []
        if missing:
            problem = f"names a {level.name} only together with {' and '.join(missing)}, which is not given"
            yield Found((level.field or "",), problem)
    ends = levels.levels[levels.depth(scope)]
    if levels.field in scope and levels.named(scope[levels.field]) not in (None, ends):
        problem = f'is "{scope[levels.field]}", but the fields that are given end at the level {ends.name}'
        yield Found((levels.field,), f"{problem}; leave it out, or name the fields of that level")
