"""A hierarchy, documents at every place of it, and who sees what, worked out in plain Python."""

from __future__ import annotations

from itertools import product
from typing import Any

from pipelines.profile.sections.documents import Hierarchy, MetadataField, MetadataSection

LEVELS = ("platform", "suite", "module", "entity")
PATH = ("suite", "module", "entity_id")
REQUIRES = {"suite": ("suite",), "module": ("suite", "module"), "entity": ("entity_id",)}
VALUES = {"suite": ("fed", "corp"), "module": ("audit", "ledger"), "entity_id": ("acme", "globex")}


def section(**said: Any) -> MetadataSection:
    fields = {"level": MetadataField(type="keyword", values=LEVELS), "year": MetadataField(type="integer")}
    fields |= {name: MetadataField(type="keyword") for name in PATH}
    return MetadataSection(fields=fields, hierarchy=Hierarchy(level="level", path=PATH, **said))


def documents() -> list[dict[str, str]]:
    """A document of each level with each combination of fields that the level allows."""
    found = []
    for level, *values in product(LEVELS, *((None, *VALUES[name]) for name in PATH)):
        place = {name: value for name, value in zip(PATH, values, strict=True) if value is not None}
        if all(name in place for name in REQUIRES.get(level, ())):
            found.append({"level": level, **place})
    return found


def scopes() -> list[dict[str, str]]:
    """Every scope that names a place."""
    combined = product(*((None, *VALUES[name]) for name in PATH))
    named = ({n: v for n, v in zip(PATH, values, strict=True) if v is not None} for values in combined)
    return [scope for scope in named if scope and ("module" not in scope or "suite" in scope)]


def sees(scope: dict[str, str], document: dict[str, str], *, inherit: bool = True, below: bool = False) -> bool:
    """Whether ``document`` is seen from ``scope``, said the long way round."""
    level = LEVELS.index(document["level"])
    ends = max(PATH.index(name) for name in scope) + 1
    placed_by = PATH[:level]
    if any(name in document and document[name] != scope[name] for name in placed_by if name in scope):
        return False  # a sibling's, or below a sibling
    if level == ends:
        return True  # of the place itself: its own field is named, and is the same
    if not inherit:
        return False
    if level > ends:
        return below and PATH[ends - 1] in document
    return level == 0 or PATH[level - 1] in scope
