"""Claims of answers, in the shape that the contracts share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, Field

from pipelines.types import Claim


class ClaimCheck(BaseModel):
    """A sentence of an answer, held against what it cites."""

    text: str
    citations: list[int]
    verdict: str = Field(description="supported, partial or unsupported")
    withheld: bool = Field(default=False, description="left out of the answer's text, since nothing supports it")
    checks: dict[str, Any]


def claim_checks(claims: Iterable[Claim]) -> list[ClaimCheck]:
    """Return the claims of an answer."""
    return [
        ClaimCheck(
            text=one.text,
            citations=list(one.citations),
            verdict=one.verdict,
            withheld=one.withheld,
            checks=dict(one.checks),
        )
        for one in claims
    ]
