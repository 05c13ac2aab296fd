"""What the vector stores of a tenant are called: one for each generation."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from pipelines.catalogue import Claim
from pipelines.profile.schema import Profile


def folder_name(claim: Claim) -> str:
    """Name of the folder that holds an embedded store."""
    return _of_generation("vectors", claim)


def first_collection(profile: Profile) -> str:
    """Name of the collection that a tenant begins with."""
    if profile.store.engine != "server":
        return profile.tenant
    return profile.store.collection or f"footnote_{profile.tenant}"


def collection_name(profile: Profile, claim: Claim) -> str:
    """Name of the collection."""
    return _of_generation(first_collection(profile), claim)


def former_collections(profile: Profile, generation: int, names: Iterable[str]) -> list[str]:
    """Return those of ``names`` that are collections of the tenant, of generations before ``generation``."""
    first = re.escape(first_collection(profile))
    found = [(name, re.fullmatch(rf"{first}(?:-([0-9]+)-[0-9a-f]{{8}})?", name)) for name in names]
    return [name for name, parts in found if parts is not None and int(parts[1] or 0) < generation]


def _of_generation(first: str, claim: Claim) -> str:
    """Return a generation's name, which holds the model's: one begun with another model is not continued."""
    if claim.generation == 0:
        return first
    return f"{first}-{claim.generation}-{hashlib.sha256(claim.embedding.encode()).hexdigest()[:8]}"
