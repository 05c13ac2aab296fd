"""What the schema accepts and this version does not carry out yet: said when a profile is checked or opened."""

from __future__ import annotations

from pipelines.errors import Problem
from pipelines.profile.schema import Profile

_CONTRACTS = (None, "cortx", "openpharma", "smartbreeds", "textbook")


def not_carried_out(profile: Profile) -> tuple[Problem, ...]:
    """One problem for each part of the profile that would be read and not obeyed."""
    planned = {
        "contract": profile.contract not in _CONTRACTS and f"the wire format of {profile.contract}",
    }
    return tuple(Problem(path, f"{what}: not built yet; take it out") for path, what in planned.items() if what)
