"""Published wire formats, each an application of its own over the same core; none imports another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fastapi import FastAPI

from app.contracts import cortx, openpharma, pocketpal, smartbreeds, textbook
from pipelines.profile.schema import Profile

CONTRACTS: Mapping[str, Callable[[Profile], FastAPI]] = {
    "cortx": cortx.build,
    "openpharma": openpharma.build,
    "pocketpal": pocketpal.build,
    "smartbreeds": smartbreeds.build,
    "textbook": textbook.build,
}
"""Makes the application of a contract for a tenant, by the contract's name in the profile."""
