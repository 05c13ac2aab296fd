"""Published wire formats, each an application of its own over the same core; none imports another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fastapi import FastAPI

from app.contracts import cortx, openpharma, pocketpal, smartbreeds, textbook
from pipelines.profile.plugins import load_contract
from pipelines.profile.schema import Profile

CONTRACTS: Mapping[str, Callable[[Profile], FastAPI]] = {
    "cortx": cortx.build,
    "openpharma": openpharma.build,
    "pocketpal": pocketpal.build,
    "smartbreeds": smartbreeds.build,
    "textbook": textbook.build,
}
"""Makes the application of a contract for a tenant, by the contract's name in the profile."""


def build_contract(name: str, profile: Profile) -> FastAPI:
    """Return the application of a contract for a tenant: one of those above, or of an installed package.

    Raises:
        ProfileError: The package's contract cannot be loaded.
    """
    build = CONTRACTS.get(name) or load_contract(name)
    return build(profile)
