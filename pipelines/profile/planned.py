"""What the schema accepts and this version does not carry out yet: said when a profile is checked or opened."""

from __future__ import annotations

from pipelines.errors import Problem
from pipelines.profile.schema import Profile

_STAGES = ("mmr", "cross_encoder", "recency", "field_boost", "late_interaction")


def not_carried_out(profile: Profile) -> tuple[Problem, ...]:
    """One problem for each part of the profile that would be read and not obeyed."""
    planned = {
        "chunking -> splitter": profile.chunking.splitter in ("semantic", "hierarchical") and profile.chunking.splitter,
        "extractors": ", ".join(name for name in profile.extractors if name not in ("frontmatter", "headings")),
        "rerank": ", ".join(stage.type for stage in profile.rerank if stage.type not in _STAGES),
        "llm": profile.llm is not None and "answers by a language model",
        "contract": profile.contract is not None and f"the wire format of {profile.contract}",
        "auth -> keys": any(key.scope for key in profile.auth.keys) and "keys with a scope",
        "limits -> requests_per_minute": profile.limits.requests_per_minute > 0 and "rate limits",
    }
    return tuple(Problem(path, f"{what}: not built yet; take it out") for path, what in planned.items() if what)
