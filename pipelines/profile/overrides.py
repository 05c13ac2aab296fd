"""Changes of a profile's values at run time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from pipelines.errors import InvalidRequest, Problem, nearest
from pipelines.profile.consistency import inconsistencies
from pipelines.profile.issues import format_path
from pipelines.profile.schema import Profile

Changes = Mapping[str, Mapping[str, Any]]
"""Values by section and key."""
CHANGEABLE: Mapping[str, tuple[str, ...]] = {
    "chunking": ("size", "overlap", "unit"),
    "embedding": ("model", "quantize", "dimensions", "batch_size"),
    "store": ("hnsw",),
}


def apply_changes(profile: Profile, changes: Changes) -> Profile:
    """Return ``profile`` with ``changes`` applied.

    Raises:
        InvalidRequest: A key cannot be changed at run time, or its value is invalid.
    """
    if unknown := [*_unknown(changes)]:
        raise InvalidRequest(*unknown)
    tree = profile.model_dump()
    for section, values in changes.items():
        tree[section] = {**tree[section], **values}
    try:
        found = type(profile).model_validate(tree)
    except ValidationError as error:
        raise InvalidRequest(*(_problem(changes, one) for one in error.errors(include_url=False))) from None
    if wrong := [*inconsistencies(found)]:
        raise InvalidRequest(*(Problem(format_path(one.path), one.message, one.suggestion) for one in wrong))
    return found


def merge_changes(before: Changes, after: Changes) -> dict[str, dict[str, Any]]:
    """Merge both; ``after`` wins."""
    return {section: {**before.get(section, {}), **after.get(section, {})} for section in {*before, *after}}


def _unknown(changes: Changes) -> list[Problem]:
    found = []
    for section, values in changes.items():
        if section not in CHANGEABLE:
            found.append(Problem(section, "cannot be changed at run time", nearest(section, CHANGEABLE)))
            continue
        keys = CHANGEABLE[section]
        found += [
            Problem(f"{section} -> {key}", "cannot be changed at run time", nearest(key, keys))
            for key in values
            if key not in keys
        ]
    return found


def _problem(changes: Changes, error: Mapping[str, Any]) -> Problem:
    steps = [str(step) for step in error["loc"]]
    kept = [step for number, step in enumerate(steps) if number != 1 or step in changes.get(steps[0], {})]
    return Problem(" -> ".join(kept), str(error["msg"]))
