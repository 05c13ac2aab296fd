"""What the published contracts need of a profile: without it, requests that they document cannot be answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pipelines.profile.issues import ProfileIssue
from pipelines.profile.schema import Contract, Profile
from pipelines.profile.sections.documents import FieldType


@dataclass(frozen=True, slots=True)
class _Needs:
    """The fields that a contract reads or filters on by their types, and how many hits its requests ask for."""

    top_k: int
    fields: Mapping[str, FieldType] = field(default_factory=dict)
    hierarchy: str = ""


_NEEDS: Mapping[Contract, _Needs] = {
    "cortx": _Needs(
        10,
        dict.fromkeys(("level", "suite", "module", "entity_id"), "keyword"),
        "{level: level, path: [suite, module, entity_id]}",
    ),
    "openpharma": _Needs(10),
    "pocketpal": _Needs(5),
    "smartbreeds": _Needs(5, {"doc_type": "keyword", "breed": "keyword"}),
    "textbook": _Needs(5, {"chapter": "integer", "page": "integer"}),
}


def contract_issues(profile: Profile) -> Iterator[ProfileIssue]:
    """Yield what a profile lacks for its contract; those of installed packages say themselves what they need."""
    needs = None if profile.contract is None else _NEEDS.get(profile.contract)
    if needs is None:
        return
    named = f"the contract {profile.contract}"
    for name, kind in needs.fields.items():
        declared, path = profile.metadata.fields.get(name), ("metadata", "fields", name)
        if declared is None:
            yield ProfileIssue(path, f"{named} needs this field: declare it as {{type: {kind}}}")
        elif declared.type != kind:
            yield ProfileIssue((*path, "type"), f"must be {kind} for {named}")
    if needs.hierarchy and profile.metadata.hierarchy is None:
        yield ProfileIssue(("metadata", "hierarchy"), f"{named} needs it: {needs.hierarchy}")
    if profile.limits.top_k < needs.top_k:
        yield ProfileIssue(("limits", "top_k"), f"must be at least {needs.top_k}, which {named} asks for by default")
